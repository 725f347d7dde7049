import { parse as parseYaml } from "yaml";
import { fieldsByLine, splitFrontMatter, type FrontMatter } from "./front-matter.ts";

/** Reads the front matter of a file as YAML, or line by line if it is not valid YAML. */
export function parse(text: string): FrontMatter {
  const { block, body } = splitFrontMatter(text);
  return { fields: block === undefined ? {} : fieldsOf(block), body };
}

function fieldsOf(block: string): Record<string, unknown> {
  try {
    // Aliases can expand without bound.
    const fields: unknown = parseYaml(block, { maxAliasCount: 0, logLevel: "silent" });
    return typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? (fields as Record<string, unknown>)
      : {};
  } catch {
    return fieldsByLine(block);
  }
}
