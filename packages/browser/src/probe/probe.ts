import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { probeSource } from "./probe-source.ts";
import { watchSource } from "./watch/watch-source.ts";

/** A script that the gateway puts into pages. */
export interface OwnScript {
  script: string;
  /** The same, compressed. */
  gzip: Buffer;
  /** `'sha256-…'`, as a content security policy names it. */
  hash: string;
  /** Changes with the script: it is kept by the browser. */
  version: string;
  /** Of its script element. */
  attributes: string;
}

/** The probe for previews that the pages of these origins may embed: at most 3.7 KB compressed. */
export const createProbe = (origins: string[]): OwnScript => pack(probeSource(origins));

/** The probe for pages that a container in the tab of this origin serves: it tells the tab. */
export const createTabProbe = (origin: string): OwnScript =>
  pack(probeSource([origin], "embedder"));

/** What stands beside the probe where a workbench of these origins embeds the page: at most 9 KB compressed. */
export const createWatch = (origins: string[]): OwnScript => pack(watchSource(origins));

function pack(source: string): OwnScript {
  const script = source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .join("\n");
  const digest = createHash("sha256").update(script).digest();
  return {
    script,
    gzip: gzipSync(script, { level: 9 }),
    hash: `'sha256-${digest.toString("base64")}'`,
    version: digest.toString("hex").slice(0, 8),
    attributes: ` integrity="sha256-${digest.toString("base64")}"`,
  };
}
