import { writeMention } from "@treadle/protocol/mentions";
import { matchPath } from "./match-path.ts";
import { words } from "../words/words.ts";

/** Something that can be mentioned. `text` replaces the typed text; `continues`: the person continues typing after it. */
export interface Suggestion {
  text: string;
  label: string;
  about: string;
  kind: "word" | "file" | "folder" | "link" | "resource" | "prompt" | "command";
  continues?: true;
}

/** Prompts and resources of tool servers, as suggestions. */
export interface OfferedSuggestions {
  /** Chosen with `/` at the beginning of a message: `text` is the command. */
  prompts: readonly Suggestion[];
  /** Mentioned with `@`. */
  resources: readonly Suggestion[];
  /** A note about unavailable ones. */
  note: string | undefined;
}

export const MAX_SUGGESTIONS = 12;
const MAX_RESOURCES = 6;

const WORDS = ["problems", "terminal", "preview", "diff", "checkpoint"] as const;

/**
 * Suggestions for a query: the kinds first, then files and folders, the best first.
 * @param resources resources of tool servers; only those that contain the query literally
 * @param files the project's files; undefined if there is no project yet and only links can be mentioned
 */
export function suggestions(
  query: string,
  files: readonly string[] | undefined,
  resources: readonly Suggestion[] = [],
): Suggestion[] {
  const link: Suggestion[] = "https://".startsWith(query.toLowerCase())
    ? [
        {
          text: "@https://",
          label: "https://…",
          about: words.prompt.aboutLink,
          kind: "link",
          continues: true,
        },
      ]
    : [];
  if (!files) return link;
  const fixed = WORDS.filter((word) => word.startsWith(query.toLowerCase())).map(
    (word): Suggestion => ({
      text: `@${word}`,
      label: word,
      about: words.prompt.about[word],
      kind: "word",
    }),
  );
  const paths = [...foldersOf(files), ...files]
    .flatMap((path) => {
      const score = matchPath(path, query);
      return score === undefined ? [] : [{ path, score }];
    })
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const found: Suggestion[] = [];
  for (const { path } of paths) {
    if (found.length >= MAX_SUGGESTIONS) break;
    const text = writeMention(path);
    if (text === undefined) continue;
    const folder = path.endsWith("/");
    found.push({ text, label: path, about: "", kind: folder ? "folder" : "file" });
  }
  const offered = query === "" ? [] : containing(query, resources);
  // Only a few resources, so that files stay visible.
  return [...fixed, ...link, ...offered.slice(0, MAX_RESOURCES), ...found].slice(
    0,
    MAX_SUGGESTIONS,
  );
}

/** Commands that contain the query, those beginning with it first. */
export function commandSuggestions(query: string, prompts: readonly Suggestion[]): Suggestion[] {
  return containing(query, prompts).slice(0, MAX_SUGGESTIONS);
}

function containing(query: string, offered: readonly Suggestion[]): Suggestion[] {
  const lowQuery = query.toLowerCase();
  const rank = ({ text }: Suggestion) => (text.toLowerCase().startsWith(lowQuery, 1) ? 0 : 1);
  return offered
    .filter(({ text, label }) => `${text}\n${label}`.toLowerCase().includes(lowQuery))
    .toSorted((a, b) => rank(a) - rank(b));
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of files)
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      folders.add(path.slice(0, at + 1));
  return [...folders];
}
