import type { ProjectPath } from "@treadle/protocol";
import type { SearchMatch, SearchQuery } from "../types.ts";

const LINES = 20;

/** What brings a file into a program or a page: an import in any spelling, an attribute of HTML, a `url()` of CSS. */
const BRINGS = String.raw`\b(?:from|import|require|src|href|url)\s*(?:[:=(]\s*\{?\s*)?["'\x60(]`;
/** What brings whole folders. */
const BRINGS_FOLDERS = String.raw`\bimport\.meta\.glob(?:Eager)?\s*[(<]|\brequire\.context\s*\(`;

/**
 * Paths of sources that bring a file in, which makes it one of them however it is written. Opening it by its name does
 * not: that is how a program reads its data.
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
