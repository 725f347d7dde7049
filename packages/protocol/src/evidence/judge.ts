import {
  EVIDENCE_PARTS,
  type CheckReport,
  type Evidence,
  type EvidencePart,
  type Verdict,
} from "./types.ts";

/** Evidence of a revision that nobody has looked at yet. */
export function untriedEvidence(revision: string): Evidence {
  const untried = () => ({ state: "untried" as const, summary: "not tried yet" });
  return {
    revision,
    parts: {
      install: untried(),
      build: untried(),
      serve: untried(),
      page: untried(),
      console: untried(),
    },
    pages: [],
  };
}

/**
 * What the evidence says. One broken part makes the revision `failed`; one part that was not seen makes it
 * `unverified`. So does one of the project's own checks; one that fails as it stood before somebody changed it proves
 * nothing but that the person has to say what counts: `unverified`. `verified` also needs something that was really served: a project
 * in which nothing applies proves nothing.
 * @returns the verdict, the part or the check that decided it, and one sentence that says why.
 */
export function judge(evidence: Evidence): {
  verdict: Verdict;
  part?: EvidencePart;
  check?: CheckReport;
  reason: string;
} {
  const { checks = [] } = evidence;
  for (const part of EVIDENCE_PARTS) {
    const { state, summary } = evidence.parts[part];
    if (state !== "failed") continue;
    // That a page stays blank says less than what was thrown meanwhile.
    const thrown = evidence.parts.console;
    return part === "page" && thrown.state === "failed" && /\bblank\b/.test(summary)
      ? { verdict: "failed", part: "console", reason: `${thrown.summary}; ${summary}` }
      : { verdict: "failed", part, reason: summary };
  }
  const broken = checks.find(({ state, was }) => state === "failed" && !was);
  if (broken) return { verdict: "failed", check: broken, reason: brokenWords(broken) };
  for (const part of EVIDENCE_PARTS) {
    const { state, summary } = evidence.parts[part];
    if (state === "untried" || state === "going")
      return { verdict: "unverified", part, reason: `${part}: ${summary}` };
  }
  const open = checks.find(({ state }) => state !== "held");
  if (open) return { verdict: "unverified", check: open, reason: openWords(open) };
  if (evidence.parts.serve.state !== "held")
    return { verdict: "unverified", part: "serve", reason: "nothing was served" };
  const lost = evidence.turn?.find(({ takesAway }) => takesAway);
  if (lost) return { verdict: "unverified", reason: lost.said };
  const faults = faultWords(evidence);
  return {
    verdict: "verified",
    reason: `${heldWords(evidence).join(", ")}${faults && `; in this turn ${faults}`}`,
  };
}

/** What was seen to hold, in words a person reads: "installed", "built", "served", "page rendered", "no errors". */
export function heldWords(evidence: Evidence): string[] {
  const words: Record<EvidencePart, string> = {
    install: "installed",
    build: "built",
    serve: evidence.parts.page.state === "inapplicable" ? "request answered" : "served",
    page: "page rendered",
    console: "no errors",
  };
  const held: string[] = EVIDENCE_PARTS.filter((part) => evidence.parts[part].state === "held").map(
    (part) => words[part],
  );
  const checks = evidence.checks?.filter(({ state }) => state === "held").length ?? 0;
  if (checks > 0) held.push(checks === 1 ? "1 check passed" : `${checks} checks passed`);
  const anew = evidence.checks?.filter(({ rewritten }) => rewritten) ?? [];
  if (anew.length > 0)
    held.push(
      `${anew.map(({ name }) => `“${name}”`).join(", ")} changed by the model in this turn`,
    );
  return held;
}

/** What went badly in the turn, beside the verdict; empty where nothing did. */
export function faultWords({ turn = [] }: Evidence): string {
  const more = turn.length > FAULTS_NAMED ? ` and ${turn.length - FAULTS_NAMED} more` : "";
  return turn
    .slice(0, FAULTS_NAMED)
    .map(({ said }) => said)
    .join(", ")
    .concat(more);
}

const FAULTS_NAMED = 3;
const HANDS = { model: "by the model", outside: "outside of the page" };
const HOW = { removed: "removed", changed: "changed", off: "switched off" };

function openWords({ name, state, was, steps }: CheckReport): string {
  const said = steps.at(-1)?.said;
  if (!was)
    return said && state === "untried"
      ? `the check “${name}” proves nothing: ${said}`
      : `the check “${name}” was not run`;
  const why = said === undefined ? "" : `: ${said}`;
  const outcome = state === "failed" ? `fails as it stood${why}` : "was not run as it stood";
  return `the check “${name}” was ${HOW[was.how]} ${HANDS[was.by]} and ${outcome}`;
}

function brokenWords({ name, steps }: CheckReport): string {
  const said = steps.at(-1)?.said;
  return `the check “${name}” failed${said === undefined ? "" : ` at ${said}`}`;
}
