import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { plainOutput } from "@treadle/protocol/safe-text";

/** Matches lines that describe the error; the lines around them differ with each attempt. */
const SAYS = /\b(?:errors?|err!|cannot|can't|could not|couldn't|fail(?:s|ed|ure)?|fatal|missing|not found|no such|undefined|unexpected|unable|refused|denied|exited|abort(?:ed)?|e[a-z]{4,}:)\b/i; // prettier-ignore
/**
 * Maximum number of distinct lines that are compared: the first ones. They are sorted, as parallel processes print in a
 * different order each time.
 */
const LINES = 40;

/**
 * A text by which a recurring failure is recognised: the part or the check's step, and its message, without details
 * that differ by chance.
 */
export function failureSignature(evidence: Evidence): string {
  const { part, check } = judge(evidence);
  if (check) return `check ${check.name}\n${withoutChance(check.steps.at(-1)?.said ?? "")}`;
  if (!part) return "";
  const { summary, detail = "" } = evidence.parts[part];
  const lines = [...new Set(withoutChance(detail).split("\n"))];
  const saying = lines.filter((line) => SAYS.test(line)).slice(0, LINES);
  const words = saying.length > 0 ? saying.toSorted() : lines;
  return [part, withoutChance(summary), ...words].join("\n");
}

/**
 * Masks details that differ by chance: colours, times, durations, process ids, ports, sizes, hashes and generated
 * names.
 */
function withoutChance(text: string): string {
  return plainOutput(text)
    .replaceAll(
      /\d{4}-\d\d-\d\d(?:[T ][\d_:.,-]+Z?)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M)?/g,
      "#",
    )
    .replaceAll(
      /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-z]*\d)[0-9a-f]{7,}\b|\b[0-9a-f]{32,}\b/gi,
      "#",
    )
    .replaceAll(
      /\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?\s?(?:m?s|min|minutes?|seconds?|[kMG]i?B|bytes|%))(?!\w)/gi,
      "#",
    )
    .replaceAll(/\b(pid|process|node|ppid|worker|job)([ :=#[(]+)\d+/gi, "$1$2#")
    .replaceAll(
      /(?<=\bport[ =:]+)\d+|\?[tv]=\w+|(?<=[-.])(?=[\w-]{0,7}[A-Z\d])[\w-]{8}(?=\.(?:m?js|css)\b)/g,
      "#",
    )
    .replaceAll(/(?<=\/(?:tmp|var\/folders)\/)[^\s"'`:)]+/g, "#")
    .replaceAll(/\[\d+\]|==\d+==|\b\d{4,}\b/g, "#")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/^ | $/gm, "");
}
