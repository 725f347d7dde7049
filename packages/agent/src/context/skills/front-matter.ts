/** A Markdown file that may begin with fields between two lines of `---`. */
export interface FrontMatter {
  /** Empty if the file has no block, or if the block cannot be parsed. */
  fields: Record<string, unknown>;
  body: string;
}

/** Maximum length of a front matter, in characters. */
const MAX_BLOCK_CHARS = 8_000;

/** Splits a file into its front matter and the rest. */
export function splitFrontMatter(text: string): { block?: string; body: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const block = found?.[1];
  if (!found || block === undefined || block.length > MAX_BLOCK_CHARS) return { body: text };
  return { block, body: text.slice(found[0].length) };
}

/** Parses one field per line. Editors write `globs: *.ts`, which is not valid YAML. */
export function fieldsByLine(block: string): Record<string, unknown> {
  return Object.fromEntries(
    block.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^(\w+):[ \t]*(.*)$/s.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      return [[key, value === "true" ? true : value === "false" ? false : value]];
    }),
  );
}
