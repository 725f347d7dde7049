import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { defineTool, done } from "./tool.ts";

/** Declares the model's work done. The loop then observes the app; only evidence leads to a verdict. */
export const finish = defineTool({
  name: "finish",
  description: prose(new URL("./finish.md", import.meta.url)),
  input: z.object({
    done: z.string().optional(),
    asked: z.array(z.object({ what: z.string(), check: z.string() })).optional(),
    try: z.string().optional(),
    name: z.string().optional(),
  }),
  execute: async () =>
    done(sentence("said-done"), "Noted. What comes of it is told below, if the turn goes on."),
});
