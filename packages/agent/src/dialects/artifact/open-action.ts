import { attributesOf, TAG_NAMES, TAG_PATTERNS } from "@treadle/dialects/artifact";
import { PROSE_FILE } from "@treadle/dialects/meant";
import { lineEndOf, literally, type Opening } from "../go-on/opening.ts";

const { artifact: ARTIFACT, artifactEnd, action, actionEnd } = TAG_PATTERNS;
const ACTION = new RegExp(String.raw`(?:${ARTIFACT}\s*)?(${action})[ \t]*\n?`, "gi");
/** The end of an action: a closing tag, or what implies one. */
const END = new RegExp(actionEnd, "i");
const IMPLIED_END = new RegExp(
  String.raw`^[ \t]*(?:${artifactEnd}[ \t]*$|(?=${ARTIFACT})[^>]*\sid\s*=)`,
  "im",
);
const TYPE = /\stype\s*=\s*\\?["'“”]?([\w-]*)/i;
const ANY = new RegExp(String.raw`^\s*(?:${ARTIFACT}\s*)?${action}`, "i");
const ARTIFACTS = new RegExp(ARTIFACT, "gi");
const BEGINS = Object.values(TAG_NAMES).map((name) => `<${name}`);

/** The action with unfinished content at the end of a text, or undefined if there is none. */
export function openActionOf(text: string): Opening | undefined {
  const last = [...text.matchAll(ACTION)].at(-1);
  if (!last) return openFenceOf(text);
  const [tags, tag = ""] = last;
  const from = last.index + tags.length;
  const rest = text.slice(from);
  if (/\/\s*>$/.test(tag) || END.test(rest) || IMPLIED_END.test(rest)) return undefined;
  const attributes = attributesOf(tag);
  const path = attributes.get("filepath") ?? "";
  // A continuation may name its attributes differently, so the action is recognised by its path or type.
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

/** An open fence that may hold a file or a command; any fence opens it again. */
function openFenceOf(text: string): Opening | undefined {
  const fences = [...text.matchAll(/^(`{3,}).*\n?/gm)];
  const last = fences.at(-1);
  if (!last || fences.length % 2 === 0) return undefined;
  const [tags] = last;
  const from = last.index + tags.length;
  const same = /^\s*`{3,}[^\n`]*\n/;
  // The line before the fence may name its file.
  const around = lastLineOf(text.slice(0, last.index));
  return { around, tags, from, same, any: ANY, begins: ["```"], isProse: false };
}

/**
 * The last line with text and the line ends after it; empty if the text does not end with a line end. Not a regular
 * expression, because lines can have any length.
 */
function lastLineOf(text: string): string {
  const end = text.trimEnd().length;
  if (!text.includes("\n", end)) return "";
  return text.slice(end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1);
}
