import { matchesGlob } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { visibleText } from "@treadle/protocol/safe-text";
import { clipLine } from "../../text/clip.ts";
import { parse as frontMatter } from "../skills/front-matter.parser.ts";

/**
 * Formats a rules file for the model: its rules, with the files or the folder to which they apply; for rules that are
 * read on demand, only their location.
 * @param paths the project's files
 * @returns an empty string if none of these files match, or if rules to be read on demand have no description
 */
export function parse(text: string, path: string, paths: readonly ProjectPath[]): string {
  const { fields, body } = frontMatter(text);
  const rules = visibleText(body).trim();
  const globs = globsOf(fields["paths"] ?? fields["globs"]);
  if (globs.length > 0) {
    const holds = globs.some((glob) => paths.some((file) => matchesGlob(file, glob)));
    return holds ? `(for ${clipLine(visibleText(globs.join(", ")), 200)})\n${rules}` : "";
  }
  // Cursor's rules that are read on demand.
  if (fields["alwaysApply"] === false)
    return typeof fields["description"] === "string"
      ? `(read ${path} where it matters: ${clipLine(visibleText(fields["description"]), 200)})`
      : "";
  if (rules !== "" && path.endsWith("/AGENTS.md")) {
    const folder = visibleText(path.slice(0, -"AGENTS.md".length));
    return `(for files in ${folder} only; there it goes before rules of the folders above)\n${rules}`;
  }
  return rules;
}

function globsOf(value: unknown): string[] {
  const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return list
    .filter((glob) => typeof glob === "string")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "" && glob.length <= 200)
    .map((glob) => (glob.includes("/") ? glob : `**/${glob}`))
    .slice(0, 20);
}
