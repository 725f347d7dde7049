import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { openPage } from "../preview/open-page.ts";
import { pageText } from "../preview/page-text.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Describes the content of a page of the running app. */
export const inspectPreview = defineTool({
  name: "inspect_preview",
  description: prose(new URL("./inspect-preview.md", import.meta.url)),
  input: z.object({ path: z.string().optional() }),
  async execute({ path = "/" }, context) {
    const opened = await openPage(path, [], context);
    if ("refuse" in opened) return refused(sentence("could-not-look"), opened.refuse);
    const { picture } = opened;
    const outcome = done(sentence("looked-at", { path }), pageText(opened.use) + opened.note);
    return picture ? { ...outcome, picture } : outcome;
  },
});
