import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { probeSource } from "./probe-source.ts";

export interface Probe {
  script: string;
  /** The same, compressed: at most 3.5 KB. */
  gzip: Buffer;
  /** `'sha256-…'`, as a content security policy names it. */
  hash: string;
  /** Changes with the script: it is kept by the browser. */
  version: string;
  /** Of its script element. */
  attributes: string;
}

/** The probe for previews that the pages of these origins may embed. */
export function createProbe(origins: string[]): Probe {
  const script = probeSource(origins)
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
