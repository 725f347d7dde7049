/** Requests and responses of the routes of comparisons. */
import type { Verdict } from "../evidence/types.ts";
import type { LineCount, RunOutcome, Usage } from "../log/types.ts";

/** One request to several models, or several times to one, each in a project of its own. */
export interface StartComparison {
  /** The project that each attempt is a copy of; absent: each starts without files. */
  project?: string;
  /** 1 to 200,000 characters. */
  text: string;
  /** As `provider:model`, 1 to 6 of them. */
  models: string[];
  /** Attempts of each, 1 to 4; default 1. At most 8 in all, and at least 2. */
  attempts?: number;
  /** Number of attempts that run at once, 1 to 4; default 2. */
  together?: number;
  /** PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
}

/** Attempts at the same task, until one or none of them is chosen. */
export interface Comparison {
  id: string;
  /**
   * The project that each attempt copies, and to which the chosen one is applied; absent: the chosen one becomes a
   * project.
   */
  project?: string;
  /** The task. */
  text: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Number of attempts that run at once. */
  together: number;
  attempts: ComparedAttempt[];
}

/** One attempt of a comparison. */
export interface ComparedAttempt {
  /** From 1. */
  number: number;
  /** As `provider:model`. */
  model: string;
  /**
   * `waiting`: for a free place. `making`: its project is being created. `going`: it is active. `over`: its turn has
   * ended, successfully or not. `stopped`: before its start. `failed`: it could not start.
   */
  state: "waiting" | "making" | "going" | "over" | "stopped" | "failed";
  /** Its own project, with its log, its preview and its pictures. */
  project?: string;
  /** Why it could not start. */
  problem?: string;
  /** Only of an attempt that is over. */
  result?: AttemptResult;
}

/** The result of an attempt. */
export interface AttemptResult {
  outcome: RunOutcome;
  /** Absent if nothing was changed. */
  verdict?: Verdict;
  /** One or two plain sentences. */
  summary: string;
  /** The project's own checks that passed, of those that ran; absent: it has none. */
  checks?: { held: number; all: number };
  usage: Usage;
  ms: number;
  steps: number;
  /** Number of written files. */
  files: number;
  lines: LineCount;
}

/**
 * A request that runs in parallel to the project's own work, on a copy, and is then merged into the
 * project.
 */
export interface StartParallel {
  /** 1 to 200,000 characters. */
  text: string;
  /** As `provider:model`; absent: the project's. */
  model?: string;
  /** PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
  /** Paths of files in the project that the copy gets as they are now: what the person attached. At most 100. */
  files?: string[];
}
