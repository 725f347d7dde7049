import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Script } from "@treadle/scripted-model";
import type { Verdict } from "@treadle/protocol";

/** Beside the checkout; a file of the same form can be named instead. */
export const CASES_FILE = fileURLToPath(
  new URL("../../../shared/verdicts/cases.json", import.meta.url),
);

/** What the verdict has to be: `docs/verdict.md` says why. */
export const WANTS = {
  verified: "verified",
  failed: "failed",
  /** Failed, or unverified with its reason. */
  "not-verified": "not verified",
  /** Verified, or unverified with its reason: what is missing is beyond this machine. */
  "not-failed": "not failed",
  /** Verified, and a page was looked at. */
  looked: "verified by its page",
  "looked-or-failed": "verified by its page, or failed",
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
    case "failed":
      return verdict === want;
    case "not-verified":
      return verdict === "failed" || verdict === "unverified";
    case "not-failed":
      return verdict === "verified" || verdict === "unverified";
    case "looked":
      return verdict === "verified" && looked;
    case "looked-or-failed":
      return verdict === "failed" || (verdict === "verified" && looked);
  }
}

/** The one mistake that must never be made: it says verified where that is not so. */
export const isFalselyVerified = (want: Want, outcome: Outcome): boolean =>
  outcome.verdict === "verified" && !isRight(want, { ...outcome, told: true });
