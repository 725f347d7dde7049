export interface Limits {
  /** Model calls in one run; default 40. */
  steps: number;
  /** Repairs after a failed verdict; default 4. */
  repairs: number;
  /** Time limit for the whole run, in milliseconds; default 30 minutes. */
  ms: number;
  costUsd?: number;
  /** Token limit for the whole run, input and output. */
  tokens?: number;
  /** The budget of all runs of the project together, and how much of it earlier runs used. */
  project?: { tokens?: number; costUsd?: number; used: { tokens: number; costUsd: number } };
  /**
   * Milliseconds without data from the model after which the stream counts as stalled; default
   * 120,000.
   */
  modelIdleMs: number;
  /** Attempts for one model call, including the first; default 5. */
  modelTries: number;
  /** Consecutive broken answers that are continued; default and maximum 2. */
  goOns: number;
}
