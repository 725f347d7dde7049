import { isDeepStrictEqual } from "node:util";
import { CHECKS_FILE } from "@treadle/protocol/checks";
import type { ProjectPath } from "@treadle/protocol";
import { offThread } from "@treadle/parsing";
import type { KeptFile } from "@treadle/workspace";
import type { MergeKind, parse } from "./merge-texts.parser.ts";

/** Maximum size of a file to merge, in bytes; two changes of a larger one are a conflict. */
const MAX_MERGED_BYTES = 2_000_000;
const LIMIT_MS = 10_000;

const mergeTexts = offThread<typeof parse>(import.meta.url, "./merge-texts.parser.ts", {
  limitMs: LIMIT_MS,
});

/** One file in the three revisions of a merge; undefined where it does not exist. */
export interface FileVersions {
  ours: KeptFile | undefined;
  base: KeptFile | undefined;
  theirs: KeptFile | undefined;
}

/**
 * Merges a file that both sides changed: by lines, JSON by keys, acceptance checks by headings.
 * @param project the file's project: merges of several projects are interleaved
 * @returns "same" if both sides are equal, "conflict" if they conflict
 */
export async function mergeFile(
  project: string,
  path: ProjectPath,
  { ours, base, theirs }: FileVersions,
): Promise<KeptFile | "same" | "conflict"> {
  if (ours === undefined && theirs === undefined) return "same";
  if (!ours || !theirs || ours.link || theirs.link || base?.link) return "conflict";
  const executable = ours.executable === base?.executable ? theirs.executable : ours.executable;
  if (isDeepStrictEqual(Buffer.from(ours.bytes), Buffer.from(theirs.bytes)))
    return executable === ours.executable ? "same" : { ...ours, executable };
  const texts = [ours, base, theirs].map((file) => (file ? textOf(file) : ""));
  const [own, former, other] = texts;
  if (own === undefined || former === undefined || other === undefined) return "conflict";
  const merged = await mergeTexts(
    { lane: project },
    { kind: kindOf(path), ours: own, base: former, theirs: other },
  ).catch(() => undefined);
  if (merged === undefined) return "conflict";
  return { bytes: Buffer.from(merged), version: "", executable };
}

function kindOf(path: ProjectPath): MergeKind {
  if (path === CHECKS_FILE) return "sections";
  return path.endsWith(".json") ? "json" : "lines";
}

/** A file's text; undefined if it is binary, or too long to be merged. */
function textOf({ bytes }: KeptFile): string | undefined {
  if (bytes.length > MAX_MERGED_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
