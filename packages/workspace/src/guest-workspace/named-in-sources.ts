import type { ProjectPath } from "@treadle/protocol";
import type { SearchMatch, SearchQuery } from "../types.ts";

const LINES = 20;

/**
 * Matches the start of what includes a file in a program or page: an import in any form, an HTML attribute, a `url()`
 * in CSS.
 */
const BRINGS = String.raw`\b(?:from|import|require|src|href|url)\s*(?:[:=(]\s*\{?\s*)?["'\x60(]`;
/** Matches what includes whole folders. */
const BRINGS_FOLDERS = String.raw`\bimport\.meta\.glob(?:Eager)?\s*[(<]|\brequire\.context\s*\(`;

/**
 * Finds the sources that import a file, which makes it a source too, whoever writes it. Opening it
 * by name does not count, because that is how a program reads its data.
 */
export async function namedInSources(
  path: ProjectPath,
  search: (query: Omit<SearchQuery, "under">) => Promise<{ matches: SearchMatch[] }>,
): Promise<ProjectPath[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = quote(name.replace(/\.[^.]+$/, ""));
  const end = String.raw`(?:\.[\w-]+)?(?:[?#][^"'\x60)]*)?["'\x60)]`;
  const find = (pattern: string) =>
    search({ pattern, regex: true, caseSensitive: true, limit: LINES });
  const [brought, globs] = await Promise.all([
    find(String.raw`${BRINGS}(?:[^"'\x60)]*[/(])?${stem}${end}`),
    find(BRINGS_FOLDERS),
  ]);
  const folders = path.split("/").slice(0, -1);
  const matches = globs.matches.filter(
    ({ text }) => folders.length === 0 || folders.some((folder) => text.includes(folder)),
  );
  return [...brought.matches, ...matches].map((line) => line.path);
}

const quote = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
