import jsTokens from "js-tokens";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { probeSource } from "./probe-source.ts";
import { watchSource } from "./watch/watch-source.ts";

/** A script that the gateway inserts into pages. */
export interface OwnScript {
  script: string;
  /** The script, compressed. */
  gzip: Buffer;
  /** `'sha256-…'`, for a content security policy. */
  hash: string;
  /** Changes with the script, since browsers cache it. */
  version: string;
  /** Attributes of its script element. */
  attributes: string;
}

/** The probe for previews that pages of these origins may embed: at most 3.7 KB compressed. */
export const createProbe = (origins: string[]): OwnScript => pack(probeSource(origins));

/** The probe for pages served by a container in the tab of this origin: it reports to the tab. */
export const createTabProbe = (origin: string): OwnScript =>
  pack(probeSource([origin], "embedder"));

/**
 * The watch script for previews that a workbench of these origins embeds: at most 10 KB compressed.
 */
export const createWatch = (origins: string[]): OwnScript => pack(watchSource(origins));

/** Characters of words: white space between two of them is significant. */
const WORD = /[\w$\u0080-\uffff]/;

/** The source without comments and without insignificant white space; line ends stay. */
function shorten(source: string): string {
  let short = "";
  let isSpaced = false;
  for (const { type, value } of jsTokens(source)) {
    if (type === "MultiLineComment" || type === "SingleLineComment") continue;
    if (type === "WhiteSpace") isSpaced = true;
    else if (type !== "LineTerminatorSequence" || !short.endsWith("\n")) {
      const [last = "\n", next = ""] = [short.at(-1), value[0]];
      const separates =
        (WORD.test(last) && (WORD.test(next) || next === ".")) ||
        (last === next && /[-+/]/.test(next));
      if (isSpaced && separates) short += " ";
      short += value;
      isSpaced = false;
    }
  }
  return short.trim();
}

function pack(source: string): OwnScript {
  const script = shorten(source);
  const digest = createHash("sha256").update(script).digest();
  return {
    script,
    gzip: gzipSync(script, { level: 9 }),
    hash: `'sha256-${digest.toString("base64")}'`,
    version: digest.toString("hex").slice(0, 8),
    attributes: ` integrity="sha256-${digest.toString("base64")}"`,
  };
}
