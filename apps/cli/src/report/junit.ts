import type { CheckReport, Evidence, PartEvidence } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { plain } from "../terminal/plain.ts";
import type { Finding } from "./findings.ts";

/**
 * The evidence as JUnit XML, which most CI services show as tests: one case for each part and each check. Other findings
 * are in the suite's output, because JUnit has no warnings.
 */
export function junitOf(evidence: Evidence, findings: readonly Finding[], name: string): string {
  const parts = EVIDENCE_PARTS.map((part) => ({
    group: "parts",
    name: part,
    ...evidence.parts[part],
  }));
  const checks = (evidence.checks ?? []).map((check) => ({
    group: "checks",
    name: check.name,
    state: check.state,
    ms: check.ms,
    summary: check.steps.at(-1)?.said ?? "it was not run",
    detail: stepsOf(check),
  }));
  const cases = [...parts, ...checks];
  const amount = (state: PartEvidence["state"]) =>
    cases.filter((one) => one.state === state).length;
  const skipped = cases.length - amount("held") - amount("failed");
  const seconds = cases.reduce((all, { ms = 0 }) => all + ms, 0) / 1000;
  const counts = `tests="${cases.length}" failures="${amount("failed")}" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
  const warnings = findings
    .filter(({ level }) => level !== "error")
    .map(({ rule, message, place }) =>
      escaped(`${rule}: ${message}${place ? ` (${place.path}:${place.line})` : ""}`),
    );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="treadle" ${counts}>`,
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...cases.map(caseOf),
    ...(warnings.length > 0 ? [`    <system-out>${warnings.join("\n")}</system-out>`] : []),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf({
  group,
  name,
  state,
  summary,
  detail,
  ms = 0,
}: PartEvidence & { group: string; name: string }): string {
  const head = `    <testcase classname="treadle.${group}" name="${escaped(name)}" time="${(ms / 1000).toFixed(3)}"`;
  if (state === "held") return `${head}/>`;
  const text = escaped(summary);
  const inner =
    state === "failed"
      ? `<failure message="${text}">${escaped(detail ?? summary)}</failure>`
      : `<skipped message="${text}"/>`;
  return `${head}>${inner}</testcase>`;
}

const stepsOf = ({ steps }: CheckReport) =>
  steps.map(({ ok, said: message }) => `${ok ? "ok" : "not ok"}: ${message}`).join("\n");

const MARKS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text of the project, and removes characters that XML does not allow. */
const escaped = (words: string): string =>
  plain(words)
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (mark) => MARKS[mark]!);
