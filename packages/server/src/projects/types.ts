import type { FileDifference } from "@treadle/workspace";
import type {
  ApprovalMode,
  Evidence,
  GivenAnswer,
  LogEntry,
  RunMode,
  CacheLevel,
  ThinkingLevel,
  Verdict,
} from "@treadle/protocol";

/** A person's message, as passed on by the routes. */
export interface MessageToSend {
  text: string;
  model?: string;
  mode?: RunMode;
  /** Overrides the project's own approval mode for this run. */
  approve?: ApprovalMode;
  /** The amount of reasoning for this run; absent: the model's setting. */
  thinking?: ThinkingLevel;
  /** How long the provider caches prompts for this run; absent: the model's setting. */
  cache?: CacheLevel;
  limits?: { steps?: number; costUsd?: number; ms?: number };
}

/** Projects as used by the command line. */
export interface ProjectService {
  create(options: {
    name?: string;
    model?: string;
    dialect?: "native" | "artifact" | "tags";
    directory?: string;
    demo?: string;
  }): Promise<{ id: string }>;
  /** The project of a personal folder: the existing one, or a new one. */
  open(options: {
    directory: string;
    /** The name of a new one; absent: derived from its first message. */
    name?: string;
    model?: string;
    /** The model for planning turns; absent: `model`. */
    planModel?: string;
    dialect?: "native" | "artifact" | "tags";
  }): Promise<{ id: string }>;
  /** Number of the newest log entry; 0 when there is none. */
  head(project: string): Promise<number>;
  /** Queues the message; resolves when it is durable. The run's events are in the log. */
  send(project: string, message: MessageToSend): Promise<{ message: string; run: string }>;
  /** The verdict on the current files with its reason; undefined if there is none yet. */
  standing(project: string): Promise<{ verdict: Verdict; reason: string } | undefined>;
  /**
   * Collects evidence of the current files, including the checks that are started by hand, without asking a model.
   * Findings are logged as they are made.
   * @param since an earlier revision: changed code that never ran is reported
   * @throws ApiFailure `working` if other work is in progress
   */
  check(project: string, since?: readonly FileDifference[]): Promise<Evidence>;
  /** The screenshot of a page in the evidence's `pages`, or undefined if it is no longer stored. */
  picture(project: string, hash: string): Promise<{ bytes: Uint8Array; type: string } | undefined>;
  /** Stops the active work. Resolves with whether there was any. */
  stop(project: string): Promise<boolean>;
  /**
   * Answers the question that a run is waiting for.
   * @throws ApiFailure if no question has that id, or the answer does not fit it.
   */
  answer(project: string, question: string, given: GivenAnswer): Promise<void>;
  /**
   * Saves a checkpoint of the current files.
   * @returns the checkpoint
   */
  saveCheckpoint(project: string, label: string): Promise<string>;
  /** The differences between a checkpoint and the current files. */
  changes(project: string, from: string): Promise<FileDifference[]>;
  follow(
    project: string,
    after: number,
    listener: (entries: LogEntry[]) => Promise<void> | void,
  ): () => void;
  /**
   * Accepts the current versions of files that programs outside the sandbox obey, including rules
   * and skills.
   */
  acceptChanged(project: string): Promise<void>;
  /** Waits for the project's runs to end, and closes its workspace, which releases a personal folder. */
  release(project: string): Promise<void>;
  remove(project: string): Promise<void>;
}
