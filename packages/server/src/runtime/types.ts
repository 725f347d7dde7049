import type { Evidence, LogEvent, PageReport, ProjectPath } from "@treadle/protocol";
import type { FileDifference, Workspace } from "@treadle/workspace";
import type { CheckOptions } from "../evidence/check-now.ts";
import type { GoBack } from "./restore-files.ts";
import type { TakenTurns } from "./take-turns.ts";
import type { KeptHistory } from "./kept-history.ts";
import type { UnaskedChange } from "../trust/protected-files.ts";
import type { AnnouncedFiles } from "../trust/announced-files.ts";
import type { PersonPage } from "../project-context/person-page.ts";
import type { ProjectTerminals } from "@treadle/terminals";
import type { ProjectMessages } from "../runs/project-messages.ts";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Sentence } from "@treadle/protocol/sentences";
import type { WorkspaceHolder } from "../workspace/workspace-holder.ts";

/** The activity of one project: its queue of runs, its workspace and its terminals. */
export interface ProjectRuntime extends ProjectMessages {
  readonly id: string;
  readonly view: ProjectState;
  readonly holder: WorkspaceHolder;
  readonly terminals: ProjectTerminals;
  isWorking(): boolean;
  workspace(): Promise<Workspace>;
  append(event: LogEvent): void;
  /** Stops the active run or check. Resolves once it has stopped, with `false` if none was active. */
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
  /** Has the conversation summed up. Resolves with whether there was anything to sum up. @throws ApiFailure `working`. */
  compact(model: string): Promise<boolean>;
  /** Starts the project's own server; how it comes up is in the log. */
  startServer(command: string): void;
  /** Called when the project is removed or the server ends. @returns what forgets it. */
  onClose(listener: () => void): () => void;
  /** Puts the files back to a checkpoint, and the conversation where that is asked for. @throws ApiFailure `working`, `no-conversation`. */
  restore(back: GoBack): Promise<void>;
  /** Changes the files, or what they are in, while nothing else is at work on them. @throws ApiFailure `working`. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Keeps the files as they stand, and tells the checkpoint. @throws ApiFailure `working`. */
  keepNow(label: string | Sentence): Promise<string>;
  /** Takes over the messages and changes of a copy of the project, as `takeTurns` does. @throws ApiFailure `working`. */
  takeTurns(
    before: string | Sentence,
    prepare: (checkpoint: string) => Promise<TakenTurns>,
  ): Promise<void>;
  /** As `ProjectActivity.atRest`. */
  atRest(signal: AbortSignal): Promise<void>;
  /** Of a new project that was given checkpoints: puts its first files there. @throws ApiFailure `working`. */
  fill(checkpoint: string): Promise<void>;
  /** Copies the approvals of this project to a new one that has not been opened yet. */
  copyTrust(to: string): Promise<void>;
  /** The project's saved checkpoints. */
  readonly history: KeptHistory;
  /** What the person does to files through the page: it counts as theirs. */
  personFiles(): Promise<AnnouncedFiles>;
  /** What they give without having looked into it: nothing new is agreed to with it. */
  givenFiles(): Promise<Pick<AnnouncedFiles, "write">>;
  /** Of a client in whose copy of the files programs write as well: nothing is agreed to with it. */
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
  /** Protected files that nobody agreed to as they stand. */
  changedUnasked(): Promise<UnaskedChange[]>;
  /** Whether this content of such a file was agreed to. */
  isAccepted(path: ProjectPath, version: string): boolean;
  /** The person agrees to what such a file became. @throws ApiFailure as `ProtectedFiles.use`. */
  useVersion(path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Whether the preview is on its way to the person. */
  readonly personPage: PersonPage;
  /** What the probe in the person's own preview saw. */
  onReport(report: PageReport & { revision?: string }): void;
  /** Resolves once no run is active or queued. */
  idle(): Promise<void>;
  /** Milliseconds since 1970 when somebody last wanted something of its workspace; now, while somebody looks. */
  usedAt(): number;
  /** Somebody looks: a server that was put to sleep is started. Resolves when it is up, or will not be. Never rejects. */
  wake(): Promise<void>;
  /** Somebody looks at its preview, until the returned function is called. */
  watch(): () => void;
  /** Says in the log that its server sleeps, where the log says that it runs: it ended with the server of the last time. */
  serverIsGone(): void;
  /** Whether it has a sandbox. */
  isAwake(): boolean;
  /** Ends its sandbox and all in it. Files, text of terminals and history stay; its server comes back at the next look. */
  sleep(): Promise<void>;
  /** Ends everything; the project can be opened anew. */
  close(): Promise<void>;
}
