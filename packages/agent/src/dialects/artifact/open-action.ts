import { attributesOf, TAG_NAMES, TAG_PATTERNS } from "@treadle/dialects/artifact";
import { PROSE_FILE } from "@treadle/dialects/meant";
import { lineEndOf, literally, type Opening } from "../go-on/opening.ts";

const { artifact: ARTIFACT, artifactEnd, action, actionEnd } = TAG_PATTERNS;
const ACTION = new RegExp(String.raw`(?:${ARTIFACT}\s*)?(${action})[ \t]*\n?`, "gi");
/** Where an action ends that something closes, or nothing does. */
const END = new RegExp(actionEnd, "i");
const IMPLIED_END = new RegExp(
  String.raw`^[ \t]*(?:${artifactEnd}[ \t]*$|(?=${ARTIFACT})[^>]*\sid\s*=)`,
  "im",
);
const TYPE = /\stype\s*=\s*\\?["'“”]?([\w-]*)/i;
const ANY = new RegExp(String.raw`^\s*(?:${ARTIFACT}\s*)?${action}`, "i");
const ARTIFACTS = new RegExp(ARTIFACT, "gi");
const BEGINS = Object.values(TAG_NAMES).map((name) => `<${name}`);

/** The action with unfinished content at the end of a text. */
export function openActionOf(text: string): Opening | undefined {
  const last = [...text.matchAll(ACTION)].at(-1);
  if (!last) return openFenceOf(text);
  const [tags, tag = ""] = last;
  const from = last.index + tags.length;
  const rest = text.slice(from);
  if (/\/\s*>$/.test(tag) || END.test(rest) || IMPLIED_END.test(rest)) return undefined;
  const attributes = attributesOf(tag);
  const path = attributes.get("filepath") ?? "";
  // Its attributes may be called otherwise when it is opened again: its path, or its type, is what tells.
  const value = literally(path || (TYPE.exec(tag)?.[1] ?? "")).replaceAll("&", "&(?:amp;)?");
  const same = String.raw`(?=[^>]*=\s*\\?["'“”]?${value}\\?["'“”\s/>])${action}`;
  return {
    around: tags.startsWith(tag) ? ([...text.matchAll(ARTIFACTS)].at(-1)?.[0] ?? "") : "",
    tags,
    from,
    same: new RegExp(String.raw`^\s*(?:${ARTIFACT}\s*)?${same}${lineEndOf(tags)}`, "i"),
    any: ANY,
    begins: BEGINS,
    isProse: PROSE_FILE.test(path),
  };
}

/** A fence that may be taken for a file or a command; it opens again as any fence does. */
function openFenceOf(text: string): Opening | undefined {
  const fences = [...text.matchAll(/^(`{3,}).*\n?/gm)];
  const last = fences.at(-1);
  if (!last || fences.length % 2 === 0) return undefined;
  const [tags] = last;
  const from = last.index + tags.length;
  const same = /^\s*`{3,}[^\n`]*\n/;
  // The line before it may identify it.
  const around = lastLineOf(text.slice(0, last.index));
  return { around, tags, from, same, any: ANY, begins: ["```"], isProse: false };
}

/**
 * The last line with text, with what follows it, if the action ends there; written by hand, because
 * lines can have any length.
 */
function lastLineOf(text: string): string {
  const end = text.trimEnd().length;
  if (!text.includes("\n", end)) return "";
  return text.slice(end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1);
}
