/** The expected verdicts: `docs/verdict.md` explains them. */
export const WANTS = {
  /** Runs or better: a case without checks cannot get more. */
  verified: "runs or better",
  /** Verified only. */
  proven: "verified",
  /** Runs only, neither better nor worse. */
  runs: "runs",
  /** Anything but verified: it only pretends to do what was requested. */
  unproven: "less than verified",
  failed: "failed",
  /** Failed, or unverified with its reason. */
  "not-verified": "not verified",
  /** Runs or better, or unverified with its reason: what is missing is outside this machine. */
  "not-failed": "not failed",
  /** Runs or better, based on a page that was looked at. */
  looked: "seen to run by its page",
  "looked-or-failed": "seen to run by its page, or failed",
} as const;
export type Want = keyof typeof WANTS;

/** The model's answer to one request. */
export interface VerdictStep {
  text: string;
  calls: { name: string; input: Record<string, unknown> }[];
}

/**
 * A user's message, and the model's answers to its requests in order; after the last one it answers
 * `finish`.
 */
export interface VerdictTurn {
  prompt: string;
  steps: VerdictStep[];
}

export interface VerdictCase extends VerdictTurn {
  name: string;
  want: Want;
  /** What was noted about it earlier. */
  today?: string | undefined;
  /** Files that exist in the folder beforehand: path to content. */
  seed?: Record<string, string> | undefined;
  args?: string[] | undefined;
  /** Seconds per turn. */
  timeout?: number | undefined;
  /** A text that must reach the model with the evidence. */
  told?: string | undefined;
  /** The user's later messages, one at a time; `want` defaults to the case's. */
  more?: (VerdictTurn & { want?: Want | undefined })[] | undefined;
  /**
   * Codes that the final evidence must contain, and must not contain: of findings, and of reasons
   * why a check proves nothing.
   */
  finds?: string[] | undefined;
  lacks?: string[] | undefined;
  /** Files that have the same bytes after the last look as after the first turn. */
  untouched?: string[] | undefined;
  /** How often the folder is checked after the run. */
  looks?: number | undefined;
  /** What the machine must have; without it the case is skipped, with a note. */
  needs?: "postgres" | undefined;
}
