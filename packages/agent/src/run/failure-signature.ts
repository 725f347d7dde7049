import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";

/** What a failure is recognised by when it comes back: the part, or the check's step, and its words, without what differs by chance. */
export function failureSignature(evidence: Evidence): string {
  const { part, check } = judge(evidence);
  if (check) return `check ${check.name}\n${withoutChance(check.steps.at(-1)?.said ?? "")}`;
  if (!part) return "";
  const { summary, detail = "" } = evidence.parts[part];
  return `${part}\n${withoutChance(summary)}\n${withoutChance(detail)}`;
}

function withoutChance(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{7,}\b/gi, "#")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d_:.]+Z?/g, "#")
    .replaceAll(/\b\d+(?:\.\d+)?\s?m?s\b/g, "#")
    .replaceAll(/(?<=:)\d{4,5}\b|\?[tv]=\w+/g, "#")
    .replaceAll(/\s+/g, " ");
}
