import { parse } from "yaml";

/** A Markdown file that may begin with a block of YAML between two lines of `---`. */
export interface FrontMatter {
  /** Empty where there is none, or none that can be read. */
  fields: Record<string, unknown>;
  body: string;
}

/** Characters of a front matter that are looked at. */
const LIMIT = 8_000;

/** Divides a file into its front matter and the rest. Never throws: a broken block is read line by line. */
export function frontMatter(text: string): FrontMatter {
  const found = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const block = found?.[1];
  if (!found || block === undefined || block.length > LIMIT) return { fields: {}, body: text };
  return { fields: fieldsOf(block), body: text.slice(found[0].length) };
}

function fieldsOf(block: string): Record<string, unknown> {
  try {
    // Aliases may grow without bound.
    const fields: unknown = parse(block, { maxAliasCount: 0, logLevel: "silent" });
    return typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? (fields as Record<string, unknown>)
      : {};
  } catch {
    return byLine(block);
  }
}

/** Of a block that is no YAML: editors write `globs: *.ts` as it stands. */
function byLine(block: string): Record<string, unknown> {
  return Object.fromEntries(
    block.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^(\w+):[ \t]*(.*)$/s.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      return [[key, value === "true" ? true : value === "false" ? false : value]];
    }),
  );
}
