import type { FileDifference } from "@treadle/workspace";
import type { GivenAnswer } from "../runs/take-answer.ts";
import type {
  ApprovalMode,
  Evidence,
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
  /** Overrides the project's own setting for this run. */
  approve?: ApprovalMode;
  /** How much the model is to think, for this run alone; absent: as it is set for the model. */
  thinking?: ThinkingLevel;
  /** How long its provider is to cache prompts, for this run alone; absent: as it is set for the model. */
  cache?: CacheLevel;
  limits?: { steps?: number; costUsd?: number; ms?: number };
}

/** Projects as a host of the server (the command line) works with them. */
export interface ProjectService {
  create(options: {
    name?: string;
    model?: string;
    dialect?: "native" | "artifact" | "tags";
    directory?: string;
    demo?: string;
  }): Promise<{ id: string }>;
  /** The project of a folder of the person's own: the one from last time, else a new one. */
  open(options: {
    directory: string;
    /** Of a new one; absent: as its first message calls it. */
    name?: string;
    model?: string;
    /** Of turns that only plan; absent: `model`. */
    planModel?: string;
    dialect?: "native" | "artifact" | "tags";
  }): Promise<{ id: string }>;
  /** Number of the newest log entry; 0 when there is none. */
  head(project: string): Promise<number>;
  /** Queues the message; resolves when it is durable. The run's events are in the log. */
  send(project: string, message: MessageToSend): Promise<{ message: string; run: string }>;
  /** What is known of the files as they stand, and why; undefined where no look has come to a verdict yet. */
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
   * Answers the question that a run is waiting for. @throws ApiFailure if no question has that id, or the answer does
   * not fit it.
   */
  answer(project: string, question: string, given: GivenAnswer): Promise<void>;
  /** Keeps the files as they stand. @returns the checkpoint */
  saveCheckpoint(project: string, label: string): Promise<string>;
  /** How the files differ from a checkpoint. */
  changes(project: string, from: string): Promise<FileDifference[]>;
  follow(
    project: string,
    after: number,
    listener: (entries: LogEntry[]) => Promise<void> | void,
  ): () => void;
  /** Agrees to files that are obeyed outside the sandbox, rules and skills among them, as they stand. */
  acceptChanged(project: string): Promise<void>;
  /** Stops its workspace; a folder of the person's own is handed back. */
  release(project: string): Promise<void>;
  remove(project: string): Promise<void>;
}
