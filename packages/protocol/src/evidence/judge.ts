import { findingWords } from "./finding-words.ts";
import {
  EVIDENCE_PARTS,
  type CheckReport,
  type Evidence,
  type EvidencePart,
  type PartEvidence,
  type ProvesNothing,
  type TurnFault,
  type Verdict,
} from "./types.ts";
import {
  asSentence,
  clauses,
  verdictSentence,
  type CodedText,
  type Sentence,
} from "../sentences/index.ts";

/** Evidence of a revision that was not observed yet. */
export function untriedEvidence(revision: string): Evidence {
  const { text, coded } = verdictSentence("untried");
  const untried = () => ({
    state: "untried" as const,
    summary: text,
    summaryCode: coded,
  });
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
 * Judges evidence. One failed part or own check makes the revision `failed`; one part that was not
 * observed makes it `unverified`, and so does a check that failed but was changed by somebody
 * since: the person has to decide what counts. A better verdict also needs something that was
 * really served: a project in which nothing applies proves nothing. `verified` needs a check that
 * counts for every requirement.
 * @returns the verdict, the deciding part or check, and a sentence with its code that gives the
 * reason.
 */
export function judge(evidence: Evidence): {
  verdict: Verdict;
  part?: EvidencePart;
  check?: CheckReport;
  reason: string;
  reasonCode?: CodedText;
} {
  const { reason, ...judged } = weigh(evidence);
  return { ...judged, reason: reason.text, reasonCode: reason.coded };
}

function weigh(evidence: Evidence): {
  verdict: Verdict;
  part?: EvidencePart;
  check?: CheckReport;
  reason: Sentence;
} {
  const { checks = [] } = evidence;
  for (const part of EVIDENCE_PARTS) {
    if (evidence.parts[part].state !== "failed") continue;
    const seen = summaryOf(evidence.parts[part]);
    // A blank page is less informative than the error that caused it, which is reported once.
    const thrown = evidence.parts.console;
    const blank = part === "page" && thrown.state === "failed" ? blankOf(seen.coded) : undefined;
    return blank === undefined
      ? { verdict: "failed", part, reason: seen }
      : { verdict: "failed", part: "console", reason: clauses(summaryOf(thrown), blank) };
  }
  const broken = checks.find(({ state, was }) => state === "failed" && !was);
  if (broken) return { verdict: "failed", check: broken, reason: brokenWords(broken) };
  for (const part of EVIDENCE_PARTS) {
    const { state } = evidence.parts[part];
    if (state !== "untried" && state !== "going") continue;
    const what = summaryOf(evidence.parts[part]);
    return { verdict: "unverified", part, reason: verdictSentence("part-untried", { part, what }) };
  }
  const open = checks.find(({ state }) => state !== "held");
  if (open) return { verdict: "unverified", check: open, reason: openWords(open) };
  if (evidence.parts.serve.state !== "held")
    return { verdict: "unverified", part: "serve", reason: verdictSentence("nothing-served") };
  const lost = evidence.turn?.find(({ takesAway }) => takesAway);
  if (lost) return { verdict: "unverified", reason: faultOf(lost) };
  const unproven = unprovenItems(evidence);
  const made = evidence.findings?.find(({ code }) => code === "made-by-command");
  return {
    verdict: unproven.length === 0 && !made ? "verified" : "runs",
    reason: clauses(
      heldWords(evidence).join(", "),
      ...(unproven.length === 0 ? [] : [unprovenWords(unproven)]),
      ...(made ? [findingWords(made)] : []),
      ...faultsOf(evidence),
    ),
  };
}

/** Whether a revision with this verdict was seen to work: `runs` or better. */
export const isSound = (verdict: Verdict | undefined): boolean =>
  verdict === "verified" || verdict === "runs";

/** Whether a check passed and proves something about the turn. */
export const doesCount = ({ state, was, provesNothing }: CheckReport): boolean =>
  state === "held" && was === undefined && provesNothing === undefined;

/** A requirement that no check shows. */
export interface UnprovenItem {
  /** In the person's words; absent if no requirements are known. */
  what?: string;
  /** The check that was meant to show it; absent: none is named. */
  check?: string;
  /**
   * `no-check`: none is named. `unknown-check`: there is none of that name. `older-check`: it held
   * before the turn, and was not changed in it. `by-eye`: no check can show it.
   */
  why: "no-check" | "unknown-check" | "older-check" | "by-eye" | ProvesNothing;
}

/** The requirements that no applying check proves. If no requirements are known, any applying check is enough. */
export function unprovenItems({ asked, checks = [] }: Evidence): UnprovenItem[] {
  if (!asked) {
    if (checks.some(doesCount)) return [];
    const [first] = checks.filter(({ provesNothing }) => provesNothing !== undefined);
    return [{ check: first?.name, why: first?.provesNothing ?? "no-check" }];
  }
  return asked.flatMap(({ what, check, byEye, isAgreed, isOlder }): UnprovenItem[] => {
    if (byEye && check === undefined) return isAgreed ? [] : [{ what, why: "by-eye" }];
    if (check === undefined) return [{ what, why: "no-check" }];
    const found = checks.find(({ name }) => isSameCheck(name, check));
    if (!found) return [{ what, check, why: "unknown-check" }];
    if (isOlder) {
      const why = found.rewritten ? "passed-before" : "older-check";
      return [{ what, check: found.name, why }];
    }
    return found.provesNothing === undefined
      ? []
      : [{ what, check: found.name, why: found.provesNothing }];
  });
}

/** Whether two names mean the same check: models spell the same name in different ways. */
export const isSameCheck = (one: string, other: string): boolean =>
  comparable(one) === comparable(other);

const comparable = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const UNPROVEN_NAMED = 4;

function unprovenWords(items: readonly UnprovenItem[]): string {
  const words = items.slice(0, UNPROVEN_NAMED).map(({ what, check, why }) => {
    const subject = what === undefined ? "what was asked for" : `“${what}”`;
    // The person can judge it at once, by the pictures beside it.
    if (why === "by-eye") return `${subject} is yours to judge`;
    if (check === undefined || WHY[why] === undefined) return `${subject} was not tried`;
    return `${subject} is not proven (the check “${check}” ${WHY[why]})`;
  });
  const more = items.length - UNPROVEN_NAMED;
  return more > 0 ? `${words.join(", ")} and ${more} more` : words.join(", ");
}

/** The reason why a check proves nothing, as a clause. */
const WHY: Partial<Record<UnprovenItem["why"], string>> = {
  "unknown-check": "is not there",
  "older-check": "held before this turn, and was not changed in it",
  "already-held": "expects what had held before it did anything",
  "no-expectation": "expects nothing",
  "passed-before": "passes without this turn's changes as well",
  "one-value": "holds for the value that it types alone",
  "other-code": "ran nothing of what this turn wrote",
  "only-message": "sees a message alone, and nothing of what was typed is kept",
  "not-kept": "adds what is gone after a reload and never reached the database",
};

/**
 * What was observed to work, in words for people: "installed", "built", "served", "page rendered", "no errors", and the
 * missing external hosts. If a page lacked scripts or data, it is unknown whether it works without errors.
 */
export function heldWords(evidence: Evidence): string[] {
  const { needed, others } = missedHosts(evidence);
  const words: Record<EvidencePart, string> = {
    install: "installed",
    build: "built",
    serve: evidence.parts.page.state === "inapplicable" ? "request answered" : "served",
    page: "page rendered",
    console: "no errors",
  };
  const held: string[] = EVIDENCE_PARTS.filter(
    (part) => evidence.parts[part].state === "held" && !(part === "console" && needed.length > 0),
  ).map((part) => words[part]);
  const hosts = [...needed, ...others];
  if (hosts.length > 0) {
    const more = hosts.length > HOSTS_NAMED ? ` and ${hosts.length - HOSTS_NAMED} more` : "";
    const named = `${hosts.slice(0, HOSTS_NAMED).join(", ")}${more}`;
    held.push(`${named} ${hosts.length === 1 ? "was" : "were"} not reached`);
  }
  const checks = evidence.checks?.filter(doesCount).length ?? 0;
  if (checks > 0) held.push(checks === 1 ? "1 check passed" : `${checks} checks passed`);
  const empty = evidence.checks?.filter(({ provesNothing }) => provesNothing !== undefined) ?? [];
  if (empty.length > 0)
    held.push(
      `${empty.map(({ name }) => `“${name}”`).join(", ")} ${empty.length === 1 ? "proves" : "prove"} nothing`,
    );
  const anew = evidence.checks?.filter(({ rewritten }) => rewritten) ?? [];
  if (anew.length > 0)
    held.push(
      `${anew.map(({ name }) => `“${name}”`).join(", ")} changed by the model in this turn`,
    );
  const stillCounted = (how: "removed" | "changed") =>
    evidence.checks?.filter(
      ({ state, was }) => state === "held" && was?.how === how && was.by === "model",
    ) ?? [];
  const removed = stillCounted("removed");
  if (removed.length > 0)
    held.push(
      `${removed.map(({ name }) => `“${name}”`).join(", ")} removed by the model, and still counted`,
    );
  const changed = stillCounted("changed");
  if (changed.length > 0)
    held.push(
      `${changed.map(({ name }) => `“${name}”`).join(", ")} changed by the model, and counted as it stood`,
    );
  const untried = evidence.checks?.filter((one) => doesCount(one) && one.beforeUntried) ?? [];
  if (untried.length > 0)
    held.push(
      `${untried.map(({ name }) => `“${name}”`).join(", ")} not tried without this turn's changes`,
    );
  return held;
}

const HOSTS_NAMED = 3;

/** Unreachable outside hosts: those of scripts or data that a page requested, and all others. */
export function missedHosts({ pages, wanted: unreached = [] }: Evidence): {
  needed: string[];
  others: string[];
} {
  const asked = pages.flatMap((page) => page.wanted ?? []);
  const needed = new Set(asked.filter((one) => one.for !== "looks").map(({ host }) => host));
  const all = new Set([...unreached, ...asked].map(({ host }) => host));
  return { needed: [...needed], others: [...all].filter((host) => !needed.has(host)) };
}

/** The turn's faults besides the verdict, as sentences; empty if there were none. */
export function faultsOf({ turn = [] }: Evidence): Sentence[] {
  const faults = turn.slice(0, FAULTS_NAMED).map(faultOf);
  const more = turn.length - faults.length;
  return faults.length === 0 ? [] : [verdictSentence("in-this-turn", { faults, more })];
}

const faultOf = ({ said: message, saidCode }: TurnFault): Sentence => ({
  text: message,
  coded: saidCode,
});

/** The sentence about a blank page, if the given one contains it. */
function blankOf(coded: CodedText | undefined): Sentence | undefined {
  const what = coded?.code === "with-error" ? coded.values?.["what"] : coded;
  if (typeof what !== "object" || !("code" in what) || what.code !== "blank") return undefined;
  return verdictSentence("blank", { path: String(what.values?.["path"]) });
}

/** The summary of a part, as a sentence. */
export const summaryOf = ({ summary, summaryCode }: PartEvidence): Sentence => ({
  text: summary,
  coded: summaryCode,
});

const FAULTS_NAMED = 3;
const HANDS = { model: "by the model", outside: "outside of the page" };
const HOW = { removed: "removed", changed: "changed", off: "switched off" };

function openWords({ name, state, was, steps }: CheckReport): Sentence {
  const message = steps.at(-1)?.said;
  if (!was)
    return message && state === "untried"
      ? verdictSentence("check-proves", { name, why: message })
      : verdictSentence("check-not-run", { name });
  const why = message === undefined ? "" : `: ${message}`;
  const outcome = state === "failed" ? `fails as it stood${why}` : "was not run as it stood";
  return asSentence(`the check “${name}” was ${HOW[was.how]} ${HANDS[was.by]} and ${outcome}`);
}

function brokenWords({ name, steps }: CheckReport): Sentence {
  const message = steps.at(-1)?.said;
  return message === undefined
    ? verdictSentence("check-failed", { name })
    : verdictSentence("check-failed-at", { name, step: message });
}
