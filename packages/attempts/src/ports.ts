/** What attempts need of projects, which the server provides. */
import type { ApprovalMode, AskedItem, Evidence, LogEvent, ProjectPath } from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Sentence } from "@treadle/protocol/sentences";
import type { Store, StoredMessage } from "@treadle/store";
import type { KeptFile, Workspace } from "@treadle/workspace";

/** The settings of every attempt in a comparison, besides its message. */
export interface AttemptTerms {
  /** Overrides the project's own approval mode. */
  approve?: ApprovalMode;
  limits?: { steps?: number; costUsd?: number; ms?: number };
  /** Hosts that each attempt may reach besides the registry. */
  hosts?: readonly string[];
}

/** A file that is too long for memory. */
export interface LongFile {
  version: string;
  pieces: AsyncIterable<Uint8Array>;
}

/** Messages and file changes of a copy of a project that the project itself takes over. */
export interface TakenTurns {
  /** Files that exist and differ from the project's. */
  paths: readonly ProjectPath[];
  /** Paths of removed files. */
  gone: readonly ProjectPath[];
  /** Reads one of `paths`; undefined if it no longer exists. */
  read(path: ProjectPath): Promise<KeptFile | LongFile | undefined>;
  events: readonly LogEvent[];
  messages: readonly StoredMessage[];
  /** The label of the checkpoint afterwards. */
  label: string | Sentence;
  /** The run that produced this state. */
  run: string | undefined;
}

/** An open project. Methods that change it reject with ApiFailure `working` while other work is in progress. */
export interface AttemptProject {
  readonly id: string;
  readonly view: ProjectState;
  isWorking(): boolean;
  /** Resolves once no work is in progress; rejects with the signal's reason. */
  atRest(signal: AbortSignal): Promise<void>;
  workspace(): Promise<Workspace>;
  append(event: LogEvent): void;
  /** The project's files for changes that count as the person's own. */
  personFiles(): Promise<{
    write(path: ProjectPath, content: AsyncIterable<Uint8Array>): Promise<unknown>;
  }>;
  /** Saves a checkpoint of the current files, and resolves with it. */
  keepNow(label: string | Sentence): Promise<string>;
  /** Restores the files of a checkpoint. */
  restore(back: { checkpoint: string }): Promise<void>;
  /** Applies turns of a copy. @param prepare receives a checkpoint of the files before */
  takeTurns(
    before: string | Sentence,
    prepare: (checkpoint: string) => Promise<TakenTurns>,
  ): Promise<void>;
  /** Starts a check of the current files. */
  check(options: { asked: boolean }): void;
  /**
   * Checks the current files, and resolves with the evidence.
   * @param options as for `check`, with the files that a merge changed and the requests that count beside the last
   * turn's
   */
  evidenceNow(
    since: undefined,
    options: {
      asked: boolean;
      touched: ReadonlySet<ProjectPath>;
      besides?: readonly AskedItem[];
    },
  ): Promise<Evidence>;
  /** Stops the active work. Resolves with whether there was any. */
  stop(): Promise<boolean>;
}

interface AttemptMessage extends Pick<AttemptTerms, "approve" | "limits"> {
  text: string;
  model: string;
  /** In base64. */
  pictures?: string[];
}

/** Operations on projects. */
export interface AttemptProjects {
  /** Opens a project. @throws ApiFailure 404 */
  get(project: string): Promise<AttemptProject>;
  /** Creates a project for a message, as an attempt of a comparison. */
  create(options: { text: string; model: string; comparison: string }): Promise<{ id: string }>;
  /**
   * Creates a project from another one at a checkpoint, as an attempt of a comparison.
   * @param asked.parallelOf the project of the parallel request for which it is a copy
   */
  fork(
    project: string,
    asked: {
      checkpoint: string | undefined;
      name: string | undefined;
      comparison: string;
      parallelOf: string | undefined;
    },
  ): Promise<{ id: string }>;
  /** Copies pictures, outputs and recordings to which a log refers from one project to another. */
  copyKept(from: string, to: string): Promise<void>;
  /** Adds a host to a project's list. */
  allowHost(project: string, host: string): Promise<unknown>;
  /**
   * Checks whether a message could be sent, and resolves with the model that would answer.
   * @throws ApiFailure if it could not
   */
  checkMessage(message: {
    text: string;
    model?: string | undefined;
    pictures?: string[] | undefined;
  }): Promise<string>;
  queueMessage(project: string, message: AttemptMessage): Promise<{ run: string }>;
  /** Continues a turn that was cut off. */
  continue(project: string): Promise<{ run: string }>;
  stop(project: string): Promise<boolean>;
  remove(project: string): Promise<void>;
}

export interface AttemptParts {
  store: Store;
  projects: AttemptProjects;
  now(): number;
}
