import { z } from "zod";
import { NOT_KEPT, outputName } from "../outputs/output-name.ts";
import { prose } from "../text/prose.ts";
import { clipLine } from "../text/clip.ts";
import { SEARCH_LIMIT, SEARCH_LINE } from "./limits.ts";
import { defineTool, done, refused, type ToolOutcome } from "./tool.ts";

/** Finds lines by text or regular expression. */
export const searchFiles = defineTool({
  name: "search_files",
  description: prose(new URL("./search-files.md", import.meta.url)),
  input: z.object({
    pattern: z.string().min(1),
    regex: z.boolean().optional(),
    glob: z.string().optional(),
  }),
  changes: false,
  commands: false,
  async execute({ pattern, regex, glob }, { workspace, readOutput }) {
    const output = outputName(glob);
    if (output !== undefined) return searchOutput(pattern, regex, await readOutput?.(output));
    const { matches, more } = await workspace.files.search({
      pattern,
      limit: SEARCH_LIMIT,
      ...(regex === undefined ? {} : { regex }),
      ...(glob === undefined ? {} : { glob }),
    });
    const lines = matches.map(
      ({ path, line, text }) => `${path}:${line}: ${clipLine(text, SEARCH_LINE)}`,
    );
    return found(pattern, lines, more);
  },
});

/** Lines of a kept output. Plain text only: an expression of the model's could hold up the whole server. */
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
    // What was found is shown, however long its line is.
    const from = Math.max(0, at - SEARCH_LINE / 2);
    return at < 0 ? [] : [`${index + 1}: ${clipLine(line.slice(from), SEARCH_LINE)}`];
  });
  return found(pattern, lines.slice(0, SEARCH_LIMIT), lines.length > SEARCH_LIMIT);
}

function found(pattern: string, lines: string[], more: boolean): ToolOutcome {
  const told = more
    ? [...lines, `(more than ${SEARCH_LIMIT}; narrow the pattern or use glob)`]
    : lines;
  return done(
    `Searched for ${clipLine(pattern, 40)}, found ${lines.length}`,
    told.join("\n") || "(no line matches)",
  );
}
