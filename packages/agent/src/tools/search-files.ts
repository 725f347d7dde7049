import { tailOf } from "@treadle/protocol/safe-text";
import type { SearchMatch } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { NOT_KEPT, outputName } from "./outputs/output-name.ts";
import { prose } from "../text/prose.ts";
import { shownPath } from "../text/shown-path.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { READ_LIMIT, SEARCH_LIMIT, SEARCH_LINE } from "./limits.ts";
import { defineTool, done, refused, type ToolOutcome } from "./tool.ts";

/** Finds lines by text or regular expression. */
export const searchFiles = defineTool({
  name: "search_files",
  description: prose(new URL("./search-files.md", import.meta.url)),
  input: z.object({
    pattern: z.string().min(1),
    regex: z.boolean().optional(),
    glob: z.string().optional(),
    around: z.number().int().min(0).max(20).optional(),
  }),
  async execute({ pattern, regex, glob, around }, { workspace, readOutput }) {
    const output = outputName(glob);
    if (output !== undefined) return searchOutput(pattern, regex, await readOutput?.(output));
    const { matches, more } = await workspace.files.search({
      pattern,
      limit: SEARCH_LIMIT,
      regex,
      glob,
      around,
    });
    return found(pattern, byFile(matches), matches.filter(({ beside }) => !beside).length, more);
  },
});

/** Formats matches like ripgrep: each file once, `:` at a match, `-` at context, `--` at gaps. */
function byFile(matches: SearchMatch[]): string[] {
  return matches.flatMap(({ path, line, text, beside }, index) => {
    const before = matches[index - 1];
    const shown = `${line}${beside ? "-" : ":"} ${clipLine(text, SEARCH_LINE)}`;
    if (before?.path !== path) return [shownPath(path), shown];
    const apart = line - before.line > 1 && (beside || before.beside);
    return apart ? ["--", shown] : [shown];
  });
}

/**
 * Searches a saved output for plain text only: a regular expression of the model could block the
 * server.
 */
function searchOutput(
  pattern: string,
  regex: boolean | undefined,
  text: string | undefined,
): ToolOutcome {
  const title = `Did not search for ${clipLine(pattern, 40)}`;
  if (text === undefined) return refused(title, NOT_KEPT);
  if (regex) return refused(title, "An output is searched for plain text only, without regex.");
  const lines = text.split("\n").flatMap((line, index) => {
    const at = line.indexOf(pattern);
    // The match is shown however long its line is.
    const from = Math.max(0, at - SEARCH_LINE / 2);
    return at < 0
      ? []
      : [`${index + 1}: ${clipLine(tailOf(line, line.length - from), SEARCH_LINE)}`];
  });
  const shown = lines.slice(0, SEARCH_LIMIT);
  return found(pattern, shown, shown.length, lines.length > SEARCH_LIMIT);
}

function found(pattern: string, lines: string[], matches: number, more: boolean): ToolOutcome {
  const note = more ? `\n(more than ${SEARCH_LIMIT}; narrow the pattern or use glob)` : "";
  return done(
    sentence("searched", { what: clipLine(pattern, 40), count: matches }),
    matches === 0 ? "(no line matches)" : clipMiddle(lines.join("\n"), READ_LIMIT) + note,
  );
}
