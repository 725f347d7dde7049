import { readOutline } from "./outlines/read-outline.ts";
import { outlineText } from "./outlines/outline-text.ts";
import { endingOf, OUTLINED } from "./outlines/sources.ts";
import type { TemplateFile } from "../ports/templates.ts";

/**
 * Limits in characters: for a file shown in full, for all of these, and for the outlines of the
 * others.
 */
const WHOLE = 2_500;
const ALL_WHOLE = 13_000;
const OUTLINES = 3_000;
/** Maximum length of a file that is shown in full because its outline failed, in characters. */
const INSTEAD = 6_000;

/** Whether a file contains tool settings or type declarations, and so is not part of the app's own code. */
const isAside = (path: string) => /(?:^|\/)\.[^/]*$|\.d\.ts$/.test(path);

/**
 * Shows files to a model that is about to change them: small ones in full, outlines of the others.
 * Beyond the limits only names are given, and the largest files are reduced first, so that as many
 * as possible are shown.
 */
export async function showFiles(files: readonly TemplateFile[]): Promise<string> {
  const wholePaths = wholeOnes(files);
  let leftOfOutlines = OUTLINES;
  const shown: string[] = [];
  const named: string[] = [];
  for (const { path, content } of files) {
    if (typeof content !== "string" || isAside(path)) {
      named.push(path);
      continue;
    }
    const heading = `--- ${path}`;
    if (wholePaths.has(path)) {
      shown.push(`${heading}\n${content.trimEnd()}`);
      continue;
    }
    const read = OUTLINED.includes(endingOf(path)) ? await readOutline(path, content) : undefined;
    // On a busy machine a parser may time out.
    if (read?.ok === false && content.length <= INSTEAD) {
      shown.push(`${heading}\n${content.trimEnd()}`);
      continue;
    }
    const outline = read && outlineText(`${heading} (outline)`, read);
    if (outline !== undefined && outline.length <= leftOfOutlines) {
      leftOfOutlines -= outline.length;
      shown.push(outline);
    } else named.push(path);
  }
  if (named.length > 0) shown.push(`Not shown: ${named.join(", ")}`);
  return shown.join("\n");
}

/** Paths of the files that are shown in full. */
function wholeOnes(files: readonly TemplateFile[]): ReadonlySet<string> {
  let left = ALL_WHOLE;
  const wholePaths = new Set<string>();
  const small = files
    .flatMap(({ path, content }) =>
      typeof content === "string" && content.length <= WHOLE && !isAside(path)
        ? [{ path, characters: content.length }]
        : [],
    )
    .toSorted((a, b) => a.characters - b.characters);
  for (const { path, characters } of small) {
    if (characters > left) break;
    left -= characters;
    wholePaths.add(path);
  }
  return wholePaths;
}
