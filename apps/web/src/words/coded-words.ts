import type { CodedText, CodedValue } from "@treadle/protocol";
import { filled, languageTag, listed, words } from "./words.ts";

/**
 * Translates a text by the server into the page's language.
 * @param text the English text; shown if there is no code, or one unknown to this page (a log of another version)
 */
export function codedWords(text: string, coded: CodedText | undefined): string {
  if (coded === undefined || languageTag() === "en") return text;
  return wordsOf(coded) ?? text;
}

/** The words for a code; undefined if this page does not know it. */
export function wordsOf({ code, values = {} }: CodedText): string | undefined {
  const message = messageOf(code);
  if (message === undefined) return undefined;
  // Sentences joined into one keep their own commas.
  const join = (parts: string[]) => (code === "clauses" ? parts.join("; ") : listed(parts));
  return filled(
    message,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, join)])),
  );
}

/** The message of a code, whichever group has it; undefined while the catalogue is being loaded. */
function messageOf(code: string): Message | undefined {
  for (const group of Object.keys(words.sentences ?? {})) {
    const messages = words.sentences[group as keyof typeof words.sentences];
    if (Object.hasOwn(messages, code)) return messages[code as keyof typeof messages];
  }
  return undefined;
}

type Message = string | ((values: Record<string, string | number>) => string);

function valueOf(value: CodedValue, join: (parts: string[]) => string): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  if ("code" in value) return wordsOf(value) ?? "";
  return join(value.map((part) => String(valueOf(part, join))));
}

/** Matches a text that begins with a command, which is not capitalised. */
const COMMAND = /^(?:npm|npx|node|pnpm|yarn|vite)\b/;

/** Capitalises a sentence for the beginning of a line. */
export const capitalized = (text: string): string =>
  COMMAND.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
