import { PROSE_FILE } from "@treadle/protocol/meant";
import { lineEndOf, literally, type Opening } from "../go-on/opening.ts";

const ATTRIBUTES = String.raw`(?:"[^"]*"|'[^']*'|[^>"'])*`;
const ARTIFACT = String.raw`<boltArtifact\b${ATTRIBUTES}>`;
const ACTION = new RegExp(
  String.raw`(?:${ARTIFACT}\s*)?<boltAction\b(${ATTRIBUTES})>[ \t]*\n?`,
  "gi",
);
/** Where an action ends that nothing closes. */
const IMPLIED_END = /^[ \t]*(?:<\/boltArtifact\s*>[ \t]*$|<boltArtifact\b[^>]*\sid\s*=)/im;
const ANY = new RegExp(String.raw`^\s*(?:${ARTIFACT}\s*)?<boltAction\b${ATTRIBUTES}>`, "i");
const ARTIFACTS = new RegExp(ARTIFACT, "gi");
const BEGINS = ["<boltartifact", "<boltaction"];

/** The action whose content stands open at the end of a text. */
export function openActionOf(text: string): Opening | undefined {
  const last = [...text.matchAll(ACTION)].at(-1);
  if (!last) return openFenceOf(text);
  const [tags, attributes = ""] = last;
  const from = last.index + tags.length;
  const rest = text.slice(from);
  if (/<\/boltAction\s*>/i.test(rest) || IMPLIED_END.test(rest)) return undefined;
  const path = attributeOf(attributes, "filePath");
  const [name, value] =
    path === "" ? ["type", attributeOf(attributes, "type")] : ["filePath", path];
  const same = String.raw`<boltAction\b(?=[^>]*\b${name}\s*=\s*["']${literally(value)}["'])${ATTRIBUTES}>`;
  return {
    around: tags.startsWith("<boltArt") ? "" : ([...text.matchAll(ARTIFACTS)].at(-1)?.[0] ?? ""),
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
  // The line before it may say what it is.
  const around = lastLineOf(text.slice(0, last.index));
  return { around, tags, from, same, any: ANY, begins: ["```"], isProse: false };
}

/** The last line that says something, with what follows it, where that ends it; by hand, as lines have any length. */
function lastLineOf(text: string): string {
  const end = text.trimEnd().length;
  if (!text.includes("\n", end)) return "";
  return text.slice(end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1);
}

function attributeOf(attributes: string, name: string): string {
  const written = new RegExp(String.raw`\b${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(
    attributes,
  );
  return written?.[1] ?? written?.[2] ?? "";
}
