export interface Limits {
  /** Model calls in one run; default 40. */
  steps: number;
  /** Repairs after a failed verdict; default 4. */
  repairs: number;
  /** Milliseconds for the whole run; default 30 minutes. */
  ms: number;
  costUsd?: number;
  /** Tokens of the whole run, read and written. */
  tokens?: number;
  /** What all runs of the project together may use, and what those before this one did. */
  project?: { tokens?: number; costUsd?: number; used: { tokens: number; costUsd: number } };
  /** Milliseconds without anything from the model before the stream counts as stalled; default 120,000. */
  modelIdleMs: number;
  /** Tries of one model call, the first included; default 5. */
  modelTries: number;
  /** Answers in a row that may break off and are gone on with; default and most 2. */
  goOns: number;
}
