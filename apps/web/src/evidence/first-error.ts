import type { Evidence } from "@treadle/protocol";
import { shownOutput } from "../ui/format.ts";

/** Maximum characters of a line that are shown. */
const MAX_LINE_CHARS = 240;
/** Number of lines after an error that may hold its position, as some bundlers print it. */
const MAX_LINES_BELOW = 3;
/** Lines that report a failure without its cause. */
const NO_CAUSE =
  /^(?:>|Exit code\b|--- output ---|(?:npm|pnpm|yarn) (?:error|ERR!) (?:code|A complete log)\b|\S* ?(?:Build failed|error during build)\b)/i;
const HAS_CAUSE =
  /\berror(?:\b|s?:)|_ERROR\]|\bERR!|\b(?:cannot|could not|failed to|unexpected|not found|unresolved)\b/i;
const PLACE = /[\w@.[\]/-]+\.\w+[:(]\d+[:,]\d+\)?/;

/**
 * The first cause reported by a failed install or build, in one line of at most 240 characters with its position; undefined
 * if neither failed or the output names no cause.
 */
export function firstError({ parts }: Evidence): string | undefined {
  const failed = [parts.install, parts.build].find(({ state }) => state === "failed");
  const lines = shownOutput(failed?.detail ?? "")
    .split("\n")
    .map((line) => line.trim());
  const at = lines.findIndex((line) => HAS_CAUSE.test(line) && !NO_CAUSE.test(line));
  const line = lines[at];
  if (line === undefined) return undefined;
  const shortened = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1)}…` : line;
  if (PLACE.test(line)) return shortened;
  const place = lines
    .slice(at + 1, at + 1 + MAX_LINES_BELOW)
    .map((below) => PLACE.exec(below)?.[0])
    .find(Boolean);
  return place === undefined ? shortened : `${shortened} (${place})`;
}
