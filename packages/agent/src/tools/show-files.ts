import { readOutline } from "./outlines/read-outline.ts";
import { outlineText } from "./outlines/outline-text.ts";
import { endingOf, OUTLINED } from "./outlines/sources.ts";
import type { TemplateFile } from "../ports/templates.ts";

/** Characters of a file that is shown whole, of all of them, and of the outlines of the others. */
const WHOLE = 2_500;
const ALL_WHOLE = 10_000;
const OUTLINES = 3_000;

/**
 * Files as a model reads them that is about to change some: the small ones whole, of the others what they define. What goes
 * beyond the limits is named alone.
 */
export async function showFiles(files: readonly TemplateFile[]): Promise<string> {
  let left = ALL_WHOLE;
  let leftOfOutlines = OUTLINES;
  const shown: string[] = [];
  const named: string[] = [];
  for (const { path, content } of files) {
    if (typeof content !== "string") {
      named.push(path);
      continue;
    }
    const heading = `--- ${path}`;
    if (content.length <= Math.min(WHOLE, left)) {
      left -= content.length;
      shown.push(`${heading}\n${content.trimEnd()}`);
      continue;
    }
    const outline = OUTLINED.includes(endingOf(path))
      ? outlineText(`${heading} (outline)`, await readOutline(path, content))
      : undefined;
    if (outline !== undefined && outline.length <= leftOfOutlines) {
      leftOfOutlines -= outline.length;
      shown.push(outline);
    } else named.push(path);
  }
  if (named.length > 0) shown.push(`Not shown: ${named.join(", ")}`);
  return shown.join("\n");
}
