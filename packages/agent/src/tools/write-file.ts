import { checkPath } from "@treadle/workspace";
import { z } from "zod";
import { prose } from "../text/prose.ts";
import { sizeText } from "../text/size.ts";
import { guardedWrite } from "./guarded-write.ts";
import { findPlaceholder } from "./placeholder.ts";
import { writtenPath } from "./project-path.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Writes a whole file. */
export const writeFile = defineTool({
  name: "write_file",
  description: prose(new URL("./write-file.md", import.meta.url)),
  input: z.object({ path: writtenPath, content: z.string() }),
  async execute({ path: written, content }, context) {
    const path = checkPath(written);
    const placeholder = findPlaceholder(content);
    if (placeholder !== undefined)
      return refused(
        `Refused a placeholder in ${path}`,
        `Nothing was written: line ${placeholder.line} stands for code that is left out (${JSON.stringify(placeholder.text)}). Write the whole file, or change parts of it with edit_file.`,
      );
    const result = await guardedWrite(path, () => content, context);
    if (!result.ok) return refused(`Did not write ${path}`, result.reason);
    return done(
      `Wrote ${path}`,
      `${result.created ? "Created" : "Wrote"} ${path} (${sizeText(result.size)}).`,
    );
  },
});
