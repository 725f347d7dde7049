import type { Evidence, EvidencePart, FailedStep, PageReport, Verdict } from "@treadle/protocol";
import { EVIDENCE_PARTS, isSound, judge } from "@treadle/protocol/evidence";
import { clipLine, clipMiddle } from "./clip.ts";
import { findingText } from "./finding-text.ts";
import { plainOutput, tailOf } from "@treadle/protocol/safe-text";

/** Maximum characters of a failure's output for the model: its end, which has the cause. */
const OUTPUT_TAIL = 4_000;
/** The same for other failures: they may be the cause, but are more often the consequence. */
const OTHER_TAIL = 1_500;
const CONSOLE_SHOWN = 5;
const UNCAUGHT_SHOWN = 3;
const REQUESTS_SHOWN = 5;

const WANTED_SHOWN = 5;

/**
 * Maximum number of failed checks for which the page is shown, and characters of its outline and of the server's
 * output.
 */
const FAILED_STEPS_SHOWN = 3;
const OUTLINE_SHOWN = 1_200;
const PRINTED_SHOWN = 600;

const NOT_REACHED = {
  "not-allowed":
    "not allowed for this project; no change of the code mends that, the person can allow it",
  unreached: "out of reach of this machine; no change of the code mends that",
};

const STATUS: Record<Verdict, string> = {
  verified: "success",
  runs: "success",
  failed: "failed",
  unverified: "unknown",
};

/** Characters of a revision's hash that are shown. */
const NAMED = 8;

const STAGES: Record<EvidencePart, string> = {
  install: "install",
  build: "build",
  serve: "dev",
  page: "page",
  console: "page",
};

/**
 * Formats evidence for the model, in the same form as a report over `/build-result`, with one line for each part. Empty
 * lines are left out. The text comes from the project and is not fenced here.
 */
export function evidenceText(evidence: Evidence, now: number): string {
  const { verdict, part, check } = judge(evidence);
  const ends = EVIDENCE_PARTS.map((name) => evidence.parts[name].at ?? 0);
  const at = Math.max(evidence.at ?? 0, ...ends);
  const age = at > 0 ? ` ${Math.max(0, Math.round((now - at) / 1000))}s ago` : "";
  // Without the revision, an old age would suggest that the files have changed since.
  const revision = !evidence.revision ? "" : `, revision ${evidence.revision.slice(0, NAMED)}`;
  const stage = part ? ` (${STAGES[part]})` : check ? " (checks)" : "";
  const lines = [`status: ${STATUS[verdict]}${isSound(verdict) ? "" : stage}${age}${revision}`];
  for (const name of EVIDENCE_PARTS) {
    const { state, summary } = evidence.parts[name];
    lines.push(`${name}: ${state} — ${clipLine(summary, 300)}`);
  }
  if (part && (verdict === "failed" || evidence.wanted)) {
    const { ms, detail } = evidence.parts[part];
    if (ms !== undefined) lines.push(`wallTimeMs: ${Math.round(ms)}`);
    if (detail) lines.push("--- stderr (tail) ---", tail(plainOutput(detail).trim(), OUTPUT_TAIL));
  }
  for (const name of EVIDENCE_PARTS) {
    const { state, detail } = evidence.parts[name];
    // The page's reports follow below.
    if (name === part || state !== "failed" || !detail || name === "page" || name === "console")
      continue;
    lines.push(`--- ${name} (tail) ---`, tail(plainOutput(detail).trim(), OTHER_TAIL));
  }
  for (const { host, why } of (evidence.wanted ?? []).slice(0, WANTED_SHOWN))
    lines.push(`wanted: ${clipLine(host, 260)}, ${NOT_REACHED[why]}`);
  if (evidence.data)
    lines.push(
      `data (written by the running app alone): ${clipLine(evidence.data.join(", "), 300)}`,
    );
  const { printed } = evidence;
  if (printed && !lines.some((line) => line.includes(printed)))
    lines.push("--- the server printed ---", tail(printed, OTHER_TAIL));
  if (evidence.checks) lines.push("--- checks ---", ...checksLines(evidence));
  if (evidence.findings) lines.push("--- also seen ---", ...evidence.findings.map(findingText));
  const page = evidence.pages.at(-1);
  if (page) lines.push(...pageLines(page));
  return lines.join("\n");
}

/** Formats the failed steps only, with what the page, if there is one, showed at the first few. */
function checksLines({ checks = [], parts }: Evidence): string[] {
  const hasPage = parts.page.state !== "inapplicable";
  let shown = 0;
  return checks.flatMap(({ name, state, steps, was, provesNothing, firstTry, failedStep }) => {
    if (provesNothing) return [`${state}, proves nothing: ${clipLine(name, 200)}`];
    const stood = was ? ` (as it stood before it was ${was.how})` : "";
    const again =
      firstTry === undefined
        ? ""
        : `, at the second try; the first failed at ${clipLine(firstTry, 300)}`;
    const line = `${state}: ${clipLine(name, 200)}${stood}${again}`;
    if (state !== "failed") return [line];
    const messages = steps.map(
      (step) => `  ${step.ok ? "ok" : "FAILED"} ${clipLine(step.said, 300)}`,
    );
    const isShown = failedStep && shown++ < FAILED_STEPS_SHOWN;
    const seen = isShown ? failedStepLines(failedStep, hasPage) : [];
    return [line, ...messages, ...seen];
  });
}

/** The page at the failed step, and the output of the page and its server since the check began. */
function failedStepLines(
  { path, outline, console: all = [], printed }: FailedStep,
  hasPage: boolean,
): string[] {
  // Browsers hide this level by default as well: development servers print greetings at it.
  const lines = all.filter((line) => !line.startsWith("debug: "));
  const indented = (text: string) => text.split("\n").map((line) => `    ${line}`);
  const page = [
    `  the page ${clipLine(path, 200)} showed then:`,
    ...indented(clipMiddle(outline, OUTLINE_SHOWN)),
    ...(lines.length > 0 ? ["  its console:", ...lines.map((line) => `    ${line}`)] : []),
  ];
  return [
    // Where an API answers, what the browser shows of it says nothing about a request.
    ...(hasPage ? page : []),
    ...(printed ? ["  the server printed:", ...indented(tail(printed, PRINTED_SHOWN))] : []),
  ];
}

function pageLines(page: PageReport): string[] {
  const lines = [
    "--- visual ---",
    `source: ${page.source}`,
    `path: ${page.path}`,
    `httpStatus: ${page.status}`,
  ];
  if (page.title) lines.push(`pageTitle: ${clipLine(page.title, 200)}`);
  lines.push(`rendersNonEmpty: ${page.rendered}${page.rendered ? "" : " (page appears blank)"}`);
  if (page.overlay) lines.push(`errorOverlay: ${tail(page.overlay.trim(), OTHER_TAIL)}`);
  const section = (name: string, all: string[], shown: number) => {
    if (all.length === 0) return;
    lines.push(`${name}: ${all.length}`, ...all.slice(0, shown).map((line) => `  • ${line}`));
  };
  const problem = ({ message, source }: { message: string; source?: string }) =>
    `${clipLine(message, 500)}${source ? ` @ ${source}` : ""}`;
  section("consoleErrors", page.consoleErrors.map(problem), CONSOLE_SHOWN);
  section("uncaughtErrors", page.uncaughtErrors.map(problem), UNCAUGHT_SHOWN);
  section(
    "failedRequests",
    page.failedRequests.map(
      ({ method, url, status, reason }) =>
        `${method} ${clipLine(url, 200)} → ${status || reason || "no answer"}`,
    ),
    REQUESTS_SHOWN,
  );
  if (page.text) lines.push(`visibleText: ${clipLine(page.text, 400)}`);
  return lines;
}

function tail(text: string, limit: number): string {
  return text.length <= limit ? text : `…${tailOf(text, limit)}`;
}
