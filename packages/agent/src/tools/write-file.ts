import { z } from "zod";
import { prose } from "../text/prose.ts";
import { sizeText } from "../text/size.ts";
import { guardedWrite } from "./guarded-write.ts";
import { findPlaceholder } from "./placeholder.ts";
import { projectPath } from "./project-path.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Writes a whole file. */
export const writeFile = defineTool({
  name: "write_file",
  description: prose(new URL("./write-file.md", import.meta.url)),
  input: z.object({ path: projectPath, content: z.string() }),
  async execute({ path, content }, context) {
    const placeholder = findPlaceholder(content);
    if (placeholder !== undefined)
      return refused(
        `Refused a placeholder in ${path}`,
        `Nothing was written: line ${placeholder.line} stands for code that is left out (${JSON.stringify(placeholder.text)}). Write the whole file, or change parts of it with edit_file.`,
      );
    const written = await guardedWrite(path, () => content, context);
    if (!written.ok) return refused(`Did not write ${path}`, written.reason);
    return done(
      `Wrote ${path}`,
      `${written.created ? "Created" : "Wrote"} ${path} (${sizeText(written.size)}).`,
    );
  },
});
