import type { Evidence, LogEvent, PageReport, ProjectPath } from "@treadle/protocol";
import type { FileDifference, Workspace } from "@treadle/workspace";
import type { CheckOptions } from "../evidence/check-now.ts";
import type { GoBack } from "./restore-files.ts";
import type { TakenTurns } from "@treadle/attempts";
import type { KeptHistory } from "./kept-history.ts";
import type { UnaskedChange } from "@treadle/trust";
import type { AnnouncedFiles } from "@treadle/trust";
import type { PersonPage } from "../project-context/person-page.ts";
import type { ProjectTerminals } from "@treadle/terminals";
import type { ProjectMessages } from "../runs/project-messages.ts";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Sentence } from "@treadle/protocol/sentences";
import type { WorkspaceHolder } from "../workspace/workspace-holder.ts";

/** One project while it is loaded: its queue of runs, its workspace and its terminals. */
export interface ProjectRuntime extends ProjectMessages {
  readonly id: string;
  readonly view: ProjectState;
  readonly holder: WorkspaceHolder;
  readonly terminals: ProjectTerminals;
  isWorking(): boolean;
  workspace(): Promise<Workspace>;
  append(event: LogEvent): void;
  /**
   * Stops the active, waiting or next run, and an active check or compaction. Resolves once it has stopped, with
   * `false` if there was none.
   */
  stop(): Promise<boolean>;
  /** Stops the active check; a run that contains it continues without it. Resolves with `false` if none was active. */
  stopLook(): Promise<boolean>;
  /**
   * Starts a check of the current files. `asked` (the default) includes the checks that are started by hand.
   * `only` names one check that runs, while the others keep their results.
   * @throws ApiFailure `working`
   */
  check(options?: { asked: boolean; only?: string | undefined }): void;
  /**
   * Checks the current files, including the checks that are started by hand. Resolves with the evidence.
   * @param since an earlier revision: changed code that never ran is reported
   * @param options.asked false leaves out the checks that are started by hand
   * @param options.touched files that models changed since the last check, by a merge
   * @param options.besides requests that count beside those of the last turn
   * @throws ApiFailure `working`; rejects with the reason that ended the check
   */
  evidenceNow(
    since?: readonly FileDifference[],
    options?: Partial<Pick<CheckOptions, "asked" | "touched" | "besides">>,
  ): Promise<Evidence>;
  /**
   * Summarises the conversation. Resolves with whether there was anything to summarise.
   * @throws ApiFailure `working`.
   */
  compact(model: string): Promise<boolean>;
  /** Starts the project's own server; its start is logged. */
  startServer(command: string): void;
  /**
   * Registers a listener that is called when the project is removed or the server stops.
   * @returns a function that unregisters it.
   */
  onClose(listener: () => void): () => void;
  /**
   * Restores the files of a checkpoint and, on request, the conversation and the data.
   * @throws ApiFailure `working`, `no-conversation`, `no-data`, or `changed` if the files keep changing.
   */
  restore(back: GoBack): Promise<void>;
  /**
   * Runs a function that changes files or their environment, while nothing else works on them.
   * @throws ApiFailure `working`.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Saves a checkpoint of the current files, and logs it.
   * @returns the checkpoint
   * @throws ApiFailure `working`.
   */
  keepNow(label: string | Sentence): Promise<string>;
  /**
   * Applies the messages and changes of a copy of the project, see `takeTurns`.
   * @throws ApiFailure `working`.
   */
  takeTurns(
    before: string | Sentence,
    prepare: (checkpoint: string) => Promise<TakenTurns>,
  ): Promise<void>;
  /** Resolves once work other than a run could begin; see `ProjectActivity.atRest`. */
  atRest(signal: AbortSignal): Promise<void>;
  /**
   * Restores the first files of a new project that was given checkpoints.
   * @throws ApiFailure `working`.
   */
  fill(checkpoint: string): Promise<void>;
  /** Copies the approvals of this project to a new one that has not been opened yet. */
  copyTrust(to: string): Promise<void>;
  /** The project's saved checkpoints. */
  readonly history: KeptHistory;
  /** The project's files for changes that the person makes through the page: they count as the person's own. */
  personFiles(): Promise<AnnouncedFiles>;
  /** The project's files for content that the person adds without having seen it: nothing new is approved by it. */
  givenFiles(): Promise<Pick<AnnouncedFiles, "write">>;
  /** The project's files for a client whose copy programs can write too: nothing is approved by it. */
  clientFiles(): Promise<AnnouncedFiles>;
  /**
   * Records that the person accepts the project's checks file.
   * @param revision the revision that the person has read, because a program may change the file before they click
   * @throws ApiFailure `working`, or `changed` if the file has another revision by now
   */
  agreeChecks(revision?: string): Promise<void>;
  /**
   * Records that the person confirms something that can only be judged by eye.
   * @throws ApiFailure `working`, `changed` if the files have another revision by now, or `not-found`
   */
  agreeAsked(revision: string, what: string): Promise<void>;
  /** Protected files whose current version nobody approved. */
  changedUnasked(): Promise<UnaskedChange[]>;
  /** Whether this version of a protected file was approved. */
  isAccepted(path: ProjectPath, version: string): boolean;
  /**
   * Records that the person approves a version of a protected file.
   * @throws ApiFailure as `ProtectedFiles.use`.
   */
  useVersion(path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Whether the person's preview is loading. */
  readonly personPage: PersonPage;
  /** Handles a report of the probe in the person's own preview. */
  onReport(report: PageReport & { revision?: string }): void;
  /** Resolves once no run is active or queued, except for one that waits for the person. */
  idle(): Promise<void>;
  /** When the project was last used, in milliseconds since 1970; now, while someone views it or it is busy. */
  usedAt(): number;
  /**
   * Starts a sleeping server, since someone views the project. Resolves when it is up, or will not be. Never
   * rejects.
   */
  wake(): Promise<void>;
  /** Records that the project's preview is viewed, until the returned function is called. */
  watch(): () => void;
  /** Logs that the app's server sleeps, if the log says that it runs: it ended with its sandbox. */
  serverIsGone(): void;
  /** Whether the project's sandbox is open. */
  isAwake(): boolean;
  /**
   * Closes the project's sandbox with everything in it. Files, terminal output and history stay; the app's server
   * starts again when somebody views the project.
   */
  sleep(): Promise<void>;
  /** Closes everything; the project can be opened again. */
  close(): Promise<void>;
}
