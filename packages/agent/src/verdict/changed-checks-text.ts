import type { CheckReport, Evidence } from "@treadle/protocol";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";

const CHANGED_CHECKS = prose(new URL("./changed-checks.md", import.meta.url));
/** Maximum number of checks that are named. */
const NAMED = 12;

/** The checks that the model changed or removed, and that fail in the form that they had before. */
export const changedChecks = ({ checks = [] }: Evidence): CheckReport[] =>
  checks.filter(({ state, was }) => state === "failed" && was?.by === "model");

/** The message for the model about them, given once in a run. */
export function changedChecksText(checks: readonly CheckReport[]): string {
  const lines = checks.slice(0, NAMED).map(({ name, was, steps }) => {
    const failed = steps.at(-1)?.said;
    const at = failed === undefined ? "" : `: ${clipLine(failed, 200)}`;
    return `- “${clipLine(name, 100)}” (${was?.how === "removed" ? "removed" : "changed"})${at}`;
  });
  return CHANGED_CHECKS.replace("{items}", () => lines.join("\n"));
}
