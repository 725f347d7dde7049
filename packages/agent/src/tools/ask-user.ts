import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Asks the person. The run waits for the answer, which is the result, even across a restart. */
export const askUser = defineTool({
  name: "ask_user",
  description: prose(new URL("./ask-user.md", import.meta.url)),
  input: z.object({
    question: z.string().min(1),
    choices: z.array(z.string()).max(8).optional(),
  }),
  asks: ({ question, choices = [] }) => ({ text: question, choices }),
  execute: async ({ question }, { answer }) =>
    answer === undefined
      ? refused(
          sentence("asked-nobody"),
          "There is nobody to ask just now. Decide it yourself and say how.",
        )
      : done(
          sentence("asked-person", { question: clipLine(question, 120) }),
          `The person answered: ${answer}`,
        ),
});
