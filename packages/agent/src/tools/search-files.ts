import { z } from "zod";
import { prose } from "../text/prose.ts";
import { clipLine } from "../text/clip.ts";
import { SEARCH_LIMIT, SEARCH_LINE } from "./limits.ts";
import { defineTool, done } from "./tool.ts";

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
  async execute({ pattern, regex, glob }, { workspace }) {
    const { matches, more } = await workspace.files.search({
      pattern,
      limit: SEARCH_LIMIT,
      ...(regex === undefined ? {} : { regex }),
      ...(glob === undefined ? {} : { glob }),
    });
    const lines = matches.map(
      ({ path, line, text }) => `${path}:${line}: ${clipLine(text, SEARCH_LINE)}`,
    );
    if (more) lines.push(`(more than ${SEARCH_LIMIT}; narrow the pattern or use glob)`);
    return done(
      `Searched for ${clipLine(pattern, 40)}, found ${matches.length}`,
      lines.join("\n") || "(no line matches)",
    );
  },
});
