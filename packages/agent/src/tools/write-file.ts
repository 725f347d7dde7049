import { headOf } from "@treadle/protocol/safe-text";
import { inFormOf } from "@treadle/dialects/text-form";
import { checkPath } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { sizeText } from "../text/size.ts";
import { withNumber } from "../project/migrations.ts";
import { guardedWrite, type FileNow } from "./guarded-write.ts";
import { whyLeftOut } from "./proposals/left-out.ts";
import { withCheckProblems } from "./with-check-problems.ts";
import { withMigration } from "./run-migration.ts";
import { writtenPath } from "./written-path.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Writes a complete file. */
export const writeFile = defineTool({
  name: "write_file",
  description: prose(new URL("./write-file.md", import.meta.url)),
  input: z.object({ path: writtenPath, content: z.string() }),
  async execute({ path: asked, content }, context) {
    const path = await withNumber(checkPath(asked), context.workspace);
    if (typeof path !== "string")
      return refused(sentence("not-written", { path: asked }), path.refuse);
    const placeholder = findPlaceholder(content);
    if (placeholder !== undefined)
      return refused(
        sentence("placeholder", { path }),
        `Nothing was written: line ${placeholder.line} stands for code that is left out (${JSON.stringify(placeholder.text)}). Write the whole file, or change parts of it with edit_file.`,
      );
    if (CHANGE.test(content) && !HOLDS_CHANGES.test(path))
      return refused(
        sentence("change-in-place", { path }),
        "Nothing was written: the content is a change of the file, not the file. Write the whole file, or change parts of it with edit_file.",
      );
    const result = await guardedWrite(path, (now) => wholeOf(path, content, now), context);
    if (!result.ok) return refused(sentence("not-written", { path }), result.reason);
    const message = `${result.created ? "Created" : "Wrote"} ${path} (${sizeText(result.size)}).`;
    const written = withCheckProblems(path, content, done(sentence("wrote", { path }), message));
    return withMigration(path, { ...written, lines: result.lines }, context);
  },
});

/**
 * The content with the byte-order mark and line endings of the file it replaces, or why the write
 * is refused.
 */
async function wholeOf(
  path: string,
  content: string,
  { text: before, bytes }: FileNow,
): Promise<string | { refuse: string }> {
  if (before === undefined && bytes && isUtf16(bytes))
    return {
      refuse: `${path} is UTF-16 text, which write_file would make UTF-8. Nothing was written. Convert it with run_command first, or remove it with delete_file.`,
    };
  const leftOut = before && (await whyLeftOut(path, content, before));
  if (leftOut)
    return {
      refuse: `Nothing was written: ${leftOut} Write the whole file, or change parts of it with edit_file.`,
    };
  return before === undefined ? content : inFormOf(before, content);
}

/** Whether a file begins with a UTF-16 byte-order mark. */
const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/**
 * The beginning of a diff, a patch or SEARCH/REPLACE blocks; written as a file, each would destroy
 * the code.
 */
const CHANGE =
  /^\s*(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|(?:diff --git [^\n]*\n(?:index [^\n]*\n)?)?--- [^\n]+\n\+\+\+ [^\n]+\n@@ |(?:<{7}|-{7}) SEARCH>?[ \t]*\n|\*\*\* Begin Patch\s*\n)/;
const HOLDS_CHANGES = /\.(?:diff|patch|mdx?|txt|snap)$/i;

/**
 * A comment that stands for omitted code: an ellipsis with one of the phrases that models use for
 * "as before". Both are needed, so that an ordinary comment with an ellipsis, or "rest of the code"
 * in prose, passes.
 */
const ELLIPSIS = String.raw`(?:\.\.\.|…)`;
const WORDS = String.raw`(?:rest of|remaining|existing|previous|unchanged|same as before|other)\b[^\n]{0,60}\b(?:code|file|content|contents|component|components|function|functions|imports|styles|rules|methods|markup|unchanged|here|as before|same)`;
const COMMENT = String.raw`(?:\/\/|\/\*|\{[ \t]{0,8}\/\*|#|<!--|--)`;
/** Limited to the beginning of a line: otherwise blank lines take quadratic time (A78). */
const PLACEHOLDER = new RegExp(
  String.raw`^[ \t]{0,200}${COMMENT}[ \t]{0,8}(?:${ELLIPSIS}[^\n]{0,120}?${WORDS}|${WORDS}[^\n]{0,120}?${ELLIPSIS}|${ELLIPSIS}[ \t]{0,8}(?:rest|remaining|existing|unchanged|same)[^\n]*|(?:rest of|remaining) (?:the )?(?:code|file|component|content|styles|imports)[^\n]{0,30}(?:unchanged|same|remains?|here|goes|as before)[^\n]*)`,
  "im",
);

/** Returns the first line that stands for omitted code, or undefined. Lines count from 1. */
export function findPlaceholder(content: string): { line: number; text: string } | undefined {
  const match = PLACEHOLDER.exec(content);
  if (!match) return undefined;
  const start = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
  const line = content.slice(0, start).split("\n").length;
  return { line, text: headOf(match[0].trim(), 80) };
}
