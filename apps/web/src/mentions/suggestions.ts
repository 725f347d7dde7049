import { writeMention } from "@treadle/protocol/mentions";
import { matchPath } from "./match-path.ts";

/** One thing that can be pointed at. `text` takes the place of what was typed; `goesOn`: more is typed behind it. */
export interface Suggestion {
  text: string;
  label: string;
  about: string;
  kind: "word" | "file" | "folder" | "link";
  goesOn?: true;
}

export const SHOWN = 12;

const WORDS: { word: string; about: string }[] = [
  { word: "problems", about: "what is broken now" },
  { word: "terminal", about: "last lines of the terminal" },
  { word: "preview", about: "what the page shows" },
  { word: "diff", about: "what changed last" },
  { word: "checkpoint", about: "what changed since a checkpoint" },
];

/**
 * What fits a query: the kinds first, then files and folders, the best first.
 * @param files of the project; undefined where there is none yet, and only links can be pointed at
 */
export function suggestions(query: string, files: readonly string[] | undefined): Suggestion[] {
  const link: Suggestion[] = "https://".startsWith(query.toLowerCase())
    ? [
        {
          text: "@https://",
          label: "https://…",
          about: "a page of the web",
          kind: "link",
          goesOn: true,
        },
      ]
    : [];
  if (!files) return link;
  const words = WORDS.filter(({ word }) => word.startsWith(query.toLowerCase())).map(
    ({ word, about }): Suggestion => ({ text: `@${word}`, label: word, about, kind: "word" }),
  );
  const paths = [...foldersOf(files), ...files]
    .flatMap((path) => {
      const score = matchPath(path, query);
      return score === undefined ? [] : [{ path, score }];
    })
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const found: Suggestion[] = [];
  for (const { path } of paths) {
    if (found.length >= SHOWN) break;
    const text = writeMention(path);
    if (text === undefined) continue;
    const folder = path.endsWith("/");
    found.push({ text, label: path, about: "", kind: folder ? "folder" : "file" });
  }
  return [...words, ...link, ...found].slice(0, SHOWN);
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of files)
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      folders.add(path.slice(0, at + 1));
  return [...folders];
}
