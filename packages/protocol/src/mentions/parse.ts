import { codeIn } from "./code-in.ts";
import { MENTION_WORDS, type Mention, type MentionTarget, type MentionWord } from "./types.ts";

/** Maximum length of a mention; longer ones are plain text. */
export const MENTION_LENGTH = 2_000;

/**
 * An `@` at the start, after white space or after an opening bracket; within a word it belongs to an e-mail address or a
 * package version. A quoted path may contain anything but the quote and line breaks.
 */
const PLACE = /(?<=^|[\s([{<])@(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'`@][^\s"'`]*))/gu;
const TRAILING = /[.,;:!?…'"»”’]$/u;
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{", ">": "<" };
const LINES = /^:(\d{1,7})(?:-(\d{1,7}))?(?![\w/-])/;

/**
 * Finds the mentions in a message: `@src/App.tsx`, `@src/App.tsx:10-40`, `@"my notes.md":3`,
 * `@src/`, `@https://example.com`, `@notes:note://1`, `@"my notes:file:///a b.md"`, `@problems`,
 * `@terminal`, `@terminal:2`, `@preview:/about`, `@diff`, `@checkpoint:"Before this turn"`.
 * Punctuation at the end of a sentence and closing brackets are not included. In order, without
 * overlaps. Never throws, and takes linear time.
 */
export function parseMentions(message: string): Mention[] {
  const code = codeIn(message);
  const found: Mention[] = [];
  let block = 0;
  for (const match of message.matchAll(PLACE)) {
    const start = match.index;
    while (block < code.length && code[block]![1]! <= start) block++;
    if (block < code.length && code[block]![0]! <= start) continue;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const read = readAt(message, start, match);
    if (!read || read.end - start > MENTION_LENGTH) continue;
    const { end, target } = read;
    found.push({ start, end, text: message.slice(start, end), ...target });
  }
  return found;
}

function readAt(
  message: string,
  start: number,
  [all, double, single, bare]: RegExpMatchArray,
): { end: number; target: MentionTarget } | undefined {
  const quoted = double ?? single;
  if (quoted !== undefined) {
    const end = start + all.length;
    const resource = resourceTarget(quoted);
    if (resource) return { end, target: resource };
    const lines = LINES.exec(message.slice(end, end + 20));
    const target = pathOf(quoted, lines, true);
    return target && { end: end + (lines?.[0].length ?? 0), target };
  }
  const word = withoutTrailing(bare ?? "");
  const end = start + 1 + word.length;
  const named = namedTarget(message, word, start);
  if (named) return named;
  const target = wordTarget(word) ?? urlTarget(word) ?? resourceTarget(word);
  if (target) return { end, target };
  const at = /:\d{1,7}(?:-\d{1,7})?$/.exec(word);
  const path = pathOf(at ? word.slice(0, at.index) : word, at && LINES.exec(at[0]), false);
  return path && { end, target: path };
}

/** Removes punctuation at the end, and a bracket that was opened before the mention. */
function withoutTrailing(word: string): string {
  let end = Math.min(word.length, MENTION_LENGTH);
  const counts = new Map<string, number>();
  for (const character of word.slice(0, end))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  for (; end > 0; end--) {
    const last = word[end - 1]!;
    const opening = CLOSING[last];
    if (opening === undefined ? !TRAILING.test(last) : closes(counts, last, opening)) break;
    counts.set(last, (counts.get(last) ?? 0) - 1);
  }
  return word.slice(0, end);
}

const closes = (counts: ReadonlyMap<string, number>, closing: string, opening: string) =>
  (counts.get(closing) ?? 0) <= (counts.get(opening) ?? 0);

function wordTarget(word: string): MentionTarget | undefined {
  return isWord(word) ? { kind: word } : undefined;
}

const isWord = (word: string): word is MentionWord =>
  (MENTION_WORDS as readonly string[]).includes(word);

function urlTarget(word: string): MentionTarget | undefined {
  return /^https?:\/\/[^/]/i.test(word) ? { kind: "url", url: word } : undefined;
}

/** Matches a server's name, a colon and a URI, such as `notes:note://1`. No path has two colons around a scheme. */
const RESOURCE = /^([A-Za-z0-9][A-Za-z0-9_. -]{0,39}):([A-Za-z][A-Za-z0-9+.-]*:.+)$/u;

function resourceTarget(word: string): MentionTarget | undefined {
  const [, server, uri] = RESOURCE.exec(word) ?? [];
  return server === undefined || uri === undefined ? undefined : { kind: "resource", server, uri };
}

/** Matches `@terminal:2`, `@preview:/about`, `@checkpoint:4f2c`, `@checkpoint:"Before this turn"`. */
function namedTarget(
  message: string,
  word: string,
  start: number,
): { end: number; target: MentionTarget } | undefined {
  const colon = word.indexOf(":");
  const kind = colon < 0 ? word : word.slice(0, colon);
  if (kind !== "terminal" && kind !== "preview" && kind !== "checkpoint") return undefined;
  const after = start + 1 + kind.length;
  const quoted = /^:"([^"\n]{1,200})"/.exec(message.slice(after, after + 204));
  const name = quoted?.[1] ?? (colon < 0 ? "" : word.slice(colon + 1));
  if (name === "") return { end: after, target: { kind } };
  const end = quoted ? after + quoted[0].length : start + 1 + word.length;
  return { end, target: kind === "preview" ? { kind, path: name } : { kind, name } };
}

function pathOf(
  written: string,
  lines: RegExpExecArray | null,
  quoted: boolean,
): MentionTarget | undefined {
  const path = written.replace(/^(?:\.\/+)+/, "");
  // These are not mentions: a decorator with its arguments, a CSS rule, an empty name.
  if (path === "" || (!quoted && !/[\p{L}\p{N}_*]/u.test(path))) return undefined;
  const from = Number(lines?.[1] ?? 0);
  const to = Number(lines?.[2] ?? from);
  const range = from > 0 && to >= from ? { lines: { from, to } } : {};
  const last = path.slice(path.lastIndexOf("/") + 1);
  const sure =
    quoted || path !== written || path.endsWith("/") || from > 0 || /[^.]\.\p{L}/u.test(last);
  return { kind: "path", path, ...range, sure };
}
