import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Script } from "@treadle/scripted-model";
import type { Verdict } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";

/** Beside the checkout; a file of the same form can be named instead. */
export const CASES_FILE = fileURLToPath(
  new URL("../../../shared/verdicts/cases.json", import.meta.url),
);

/** What the verdict has to be: `docs/verdict.md` says why. */
export const WANTS = {
  /** Runs or better: a case without checks cannot be more. */
  verified: "runs or better",
  /** Verified, and nothing less. */
  proven: "verified",
  /** Runs, and neither better nor worse. */
  runs: "runs",
  failed: "failed",
  /** Failed, or unverified with its reason. */
  "not-verified": "not verified",
  /** Runs or better, or unverified with its reason: what is missing is beyond this machine. */
  "not-failed": "not failed",
  /** Runs or better, and a page was looked at. */
  looked: "seen to run by its page",
  "looked-or-failed": "seen to run by its page, or failed",
} as const;
export type Want = keyof typeof WANTS;

export interface VerdictCase {
  name: string;
  want: Want;
  /** What was said of it once. */
  today?: string;
  prompt: string;
  /** Files that lie in the folder before: path to content. */
  seed?: Record<string, string>;
  args?: string[];
  /** Seconds. */
  timeout?: number;
  /** Must reach the model with the evidence. */
  told?: string;
  /** What the model answers to its n-th request; after the last one it answers `finish`. */
  steps: { text: string; calls: { name: string; input: Record<string, unknown> }[] }[];
}

/** The cases of a file, or undefined where there is none. Throws where it cannot be read. */
export function readCases(file = CASES_FILE): VerdictCase[] | undefined {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")) as VerdictCase[];
}

/** The model of a case: its steps in their order, and `finish` for ever after. */
export function scriptOf({ name, steps }: VerdictCase): Script {
  return {
    name,
    steps: steps.map(({ text, calls }, index) => ({
      name: `step ${index + 1}`,
      when: [{ type: "turn", number: index + 1, orLater: false, not: false }],
      parts: [
        { type: "say", text },
        ...calls.map((call) => ({ type: "call" as const, tool: call.name, input: call.input })),
      ],
    })),
    otherwise: [{ type: "call", tool: "finish", input: { done: "It is built.", try: "Open it." } }],
  };
}

/** What a run came to, as far as a case asks. `verdict` is null where the run ended without one. */
export interface Outcome {
  verdict: Verdict | null;
  /** The page was looked at, and held. */
  looked: boolean;
  /** What the case wants told was in what the model was shown; absent where it wants nothing. */
  told?: boolean;
}

export function isRight(want: Want, { verdict, looked, told }: Outcome): boolean {
  if (told === false) return false;
  switch (want) {
    case "verified":
      return isSound(verdict ?? undefined);
    case "proven":
      return verdict === "verified";
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
  !isRight(want, { ...outcome, told: true });
