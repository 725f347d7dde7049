import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import type { SaidKey } from "../words/said-templates.ts";
import { languageTag, words } from "../words/words.ts";

/** Longer texts are no sentence of the server's, and a pattern would be slow on them. Characters. */
const LONGEST = 600;
/** Sentences that are remembered with what they became. */
const KNOWN = 500;

interface Pattern {
  key: SaidKey;
  /** What it begins with, before its first slot. */
  begins: string;
  read: RegExp;
}

let patterns: Pattern[] | undefined;
let spoken = "";
const known = new Map<string, string>();

function patternOf(key: SaidKey): Pattern {
  const source = words.saidEnglish[key]
    .split(/(\{\w+\})/)
    .map((piece) => {
      const slot = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (slot === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return slot === "n" || slot === "m" ? `(?<${slot}>\\d+)` : `(?<${slot}>.+?)`;
    })
    .join("");
  return {
    key,
    begins: words.saidEnglish[key].split("{")[0] ?? "",
    read: new RegExp(`^${source}$`, "s"),
  };
}

/**
 * A sentence of the server's in the page's language; one that the page has no words for stays as it is. Sentences that
 * stand side by side with "; " are said one by one.
 */
export function saidWords(text: string): string {
  const language = languageTag();
  if (language === "en" || text.length > LONGEST) return text;
  if (language !== spoken) {
    spoken = language;
    known.clear();
  }
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= KNOWN) known.clear();
  const said = text.split("; ").map(pieceIn).join("; ");
  known.set(text, said);
  return said;
}

function pieceIn(text: string): string {
  const whole = sentenceIn(text);
  if (whole !== undefined || !text.endsWith(".")) return whole ?? text;
  const bare = sentenceIn(text.slice(0, -1));
  return bare === undefined ? text : `${bare}.`;
}

/** What went badly in a turn is a list of such sentences; anything else is a name, or the words of a program. */
const filled = (slot: string, text: string): string =>
  slot === "faults" ? text.split(", ").map(pieceIn).join(", ") : text;

function sentenceIn(text: string): string | undefined {
  // Why nothing is proven names the part first.
  const part = EVIDENCE_PARTS.find((one) => text.startsWith(`${one}: `));
  if (part && part !== "console")
    return `${words.evidence.parts[part]}: ${saidWords(text.slice(part.length + 2))}`;
  patterns ??= (Object.keys(words.saidEnglish) as SaidKey[]).map(patternOf);
  for (const { key, begins, read } of patterns) {
    if (!startsAlike(text, begins)) continue;
    const match = read.exec(text) ?? read.exec(otherFirst(text));
    if (match)
      return words.said[key].replace(/\{(\w+)\}/g, (_, slot: string) =>
        filled(slot, match.groups?.[slot] ?? ""),
      );
  }
  return undefined;
}

/** A sentence may have been given a capital at its beginning, or lost it where it became a part of another. */
function otherFirst(text: string): string {
  const first = text.charAt(0);
  const lower = first.toLowerCase();
  return (first === lower ? first.toUpperCase() : lower) + text.slice(1);
}

const startsAlike = (text: string, begins: string) =>
  text.startsWith(begins) || otherFirst(text).startsWith(begins);
