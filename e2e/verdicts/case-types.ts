/** What the verdict has to be: `docs/verdict.md` says why. */
export const WANTS = {
  /** Runs or better: a case without checks cannot be more. */
  verified: "runs or better",
  /** Verified, and nothing less. */
  proven: "verified",
  /** Runs, and neither better nor worse. */
  runs: "runs",
  /** Anything but verified: it pretends to do what was asked. */
  unproven: "less than verified",
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

/** What the model answers to one request. */
export interface VerdictStep {
  text: string;
  calls: { name: string; input: Record<string, unknown> }[];
}

/** A message of the person, and what the model answers to its n-th request; after the last one it answers `finish`. */
export interface VerdictTurn {
  prompt: string;
  steps: VerdictStep[];
}

export interface VerdictCase extends VerdictTurn {
  name: string;
  want: Want;
  /** What was said of it once. */
  today?: string | undefined;
  /** Files that lie in the folder before: path to content. */
  seed?: Record<string, string> | undefined;
  args?: string[] | undefined;
  /** Seconds, of each turn. */
  timeout?: number | undefined;
  /** Must reach the model with the evidence. */
  told?: string | undefined;
  /** What the person says afterwards, one message at a time; `want` is the case's where it is absent. */
  more?: (VerdictTurn & { want?: Want | undefined })[] | undefined;
  /** Codes that the evidence must carry in the end, and that it must not: of findings, and why a check proves nothing. */
  finds?: string[] | undefined;
  lacks?: string[] | undefined;
  /** Files that have the same bytes after the last look as after the first turn. */
  untouched?: string[] | undefined;
  /** How often the folder is checked after the run. */
  looks?: number | undefined;
  /** What the machine must have; without it the case is left out, and that is said. */
  needs?: "postgres" | undefined;
}
