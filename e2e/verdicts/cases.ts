import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Script } from "@treadle/scripted-model";
import type { Verdict } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import type { VerdictCase, VerdictStep, VerdictTurn, Want } from "./case-types.ts";
import { readWritten } from "./read-written.ts";

/** The shared cases, in a folder beside the checkout. Callers can name another file of the same form. */
export const CASES_FILE = fileURLToPath(
  new URL("../../../shared/verdicts/cases.json", import.meta.url),
);

/** Cases of the repository's own: apps that do what they say, apps that pretend to, and one for each thing that is seen. */
export const OWN_CASES = fileURLToPath(new URL("own", import.meta.url));
/** Apps built well, each with a variant that only looks like it. */
export const APPS = fileURLToPath(new URL("apps", import.meta.url));

/**
 * Reads the cases of a file or a folder; undefined if it does not exist. Throws if it cannot be
 * read.
 */
export function readCases(place = CASES_FILE): VerdictCase[] | undefined {
  if (!existsSync(place)) return undefined;
  if (place.endsWith(".md")) return readWritten(readFileSync(place, "utf8"), basename(place));
  if (place.endsWith(".json")) return JSON.parse(readFileSync(place, "utf8")) as VerdictCase[];
  const cases = readdirSync(place)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .flatMap((name) => readCases(join(place, name)) ?? []);
  const names = cases.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${place}: there are two cases ${twice}`);
  return cases;
}

/** The model of a case: its steps in their order, and `finish` for ever after. */
export function scriptOf(item: VerdictCase): Script {
  const { name, steps, more = [] } = item;
  return {
    name,
    steps: more.length === 0 ? stepsByTurn(steps) : stepsByWords([item, ...more]),
    otherwise: [{ type: "call", tool: "finish", input: lastFinish([item, ...more].at(-1)!) }],
  };
}

const callsOf = ({ calls }: VerdictStep) =>
  calls.map((call) => ({ type: "call" as const, tool: call.name, input: call.input }));

const stepsByTurn = (steps: readonly VerdictStep[]): Script["steps"] =>
  steps.map((step, index) => ({
    name: `step ${index + 1}`,
    when: [{ type: "turn", number: index + 1, orLater: false, not: false }],
    parts: [{ type: "say", text: step.text }, ...callsOf(step)],
  }));

/**
 * Over several messages nobody knows how often the model was asked before: each answer carries a mark of its own, and the
 * first that the conversation does not show yet is next.
 */
function stepsByWords(turns: readonly VerdictTurn[]): Script["steps"] {
  return turns
    .flatMap(({ prompt, steps }, turn) => {
      const isAsked = {
        type: "text" as const,
        subject: "conversation" as const,
        pattern: prompt.toLowerCase(),
        not: false,
      };
      const answers = steps.map((step, index) => {
        const mark = `(${turn + 1}.${index + 1})`;
        const isOpen = { ...isAsked, pattern: mark, not: true };
        return {
          name: `step ${mark}`,
          when: [isAsked, isOpen],
          parts: [{ type: "say" as const, text: `${step.text} ${mark}` }, ...callsOf(step)],
        };
      });
      const input = lastFinish({ prompt, steps });
      const again = { type: "call" as const, tool: "finish", input };
      return [[...answers, { name: `after ${turn + 1}`, when: [isAsked], parts: [again] }]];
    })
    .toReversed()
    .flat();
}

/** The model's answer if it is asked again: the same as at first. */
const lastFinish = ({ steps }: VerdictTurn): Record<string, unknown> =>
  steps.flatMap(({ calls }) => calls).findLast(({ name }) => name === "finish")?.input ?? {
    done: "It is built.",
    try: "Open it.",
  };

/** What a run came to, as far as a case asks. `verdict` is null where the run ended without one. */
export interface Outcome {
  verdict: Verdict | null;
  /** The page was looked at, and held. */
  looked: boolean;
  /** What the case wants told was in what the model was shown; absent where it wants nothing. */
  told?: boolean;
  /** What else the case wants and did not get, in words. */
  amiss?: string[];
}

/** What the verdict of the last message has to be. */
export const lastWant = ({ want, more }: VerdictCase): Want => more?.at(-1)?.want ?? want;

export function isRight(
  want: Want,
  { verdict, looked, told: wasTold, amiss = [] }: Outcome,
): boolean {
  if (wasTold === false || amiss.length > 0) return false;
  switch (want) {
    case "verified":
      return isSound(verdict ?? undefined);
    case "proven":
      return verdict === "verified";
    case "unproven":
      return verdict !== "verified" && verdict !== null;
    case "runs":
    case "failed":
      return verdict === want;
    case "not-verified":
      return verdict === "failed" || verdict === "unverified";
    case "not-failed":
      return isSound(verdict ?? undefined) || verdict === "unverified";
    case "looked":
      return isSound(verdict ?? undefined) && looked;
    case "looked-or-failed":
      return verdict === "failed" || (isSound(verdict ?? undefined) && looked);
  }
}

/** The one mistake that must never be made: it says that the app works, or does what was asked, where that is not so. */
export const isFalselyVerified = (want: Want, outcome: Outcome): boolean =>
  isSound(outcome.verdict ?? undefined) &&
  (want !== "proven" || outcome.verdict === "verified") &&
  !isRight(want, { ...outcome, told: true, amiss: [] });
