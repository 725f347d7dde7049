import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { ChangedFile, IsAccepted } from "@treadle/agent";
import type { Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import { inTime } from "@treadle/common";
import { createAuthors, type Authors } from "./authors.ts";
import { createChangesBetweenTurns } from "./changes-between-turns.ts";
import { commandWatch } from "./command-watch.ts";
import type { Moment, TrustParticipant } from "./participant.ts";
import { announcedFiles, withFiles, type AnnouncedFiles } from "./announced-files.ts";
import { createProjectChecks, type ProjectChecks } from "./project-checks.ts";
import { createProtectedFiles, type UnaskedChange } from "./protected-files.ts";

/**
 * Milliseconds after which a sandbox that does not end its processes counts as still running some.
 */
const ENDING_MS = 8_000;

/** What a new run learns about the time since the last one. */
export interface SinceLastTurn {
  /** Changed files, without unapproved protected ones: reporting the change of a rule would reveal the rule (A24). */
  changes: ChangedFile[];
  /**
   * Protected files that differ from their approved version and were not reported to the person
   * yet; calling this marks them as reported.
   */
  untold(): UnaskedChange[];
}

/**
 * Determines what counts as the person's in one project, and what does not; docs/yours.md explains
 * it to people. Its lifecycle: opened, then turns, commands, saves and restores in any order, then
 * released; repeated until the project is removed.
 */
export interface ProjectTrust {
  /**
   * Call before anything is started in the workspace. Rejects as the workspace does: it must not be
   * used then.
   */
  opened(moment: Moment): Promise<void>;
  /**
   * A run begins.
   * @param isNew false if it resumes after waiting
   */
  turnBegins(moment: Moment, isNew: boolean): Promise<SinceLastTurn>;
  /**
   * Receives the events of a run or look, to detect when one of its commands runs; close it at the
   * end.
   */
  watchCommands(): { see(event: LogEvent): void; close(): void };
  /**
   * Records that the model wrote a file. Never rejects. @param unseen whether nobody was shown the content, so that
   * nobody approved it either
   */
  modelWrote(workspace: Workspace, path: ProjectPath, version: string, unseen: boolean): void;
  /**
   * The workspace for a run: changes made through it are attributed to the model before a watcher
   * reports them.
   */
  modelWorkspace(workspace: Workspace): Workspace;
  /** The only way to change files for the person through the page. */
  personFiles(workspace: Workspace): AnnouncedFiles;
  /**
   * The same for a client with a copy of the files that programs can write too: its changes are
   * attributed to the person, but approve nothing (A82).
   */
  clientFiles(workspace: Workspace): AnnouncedFiles;
  /**
   * The same for files that the person added unseen, or whose changes others chose: a folder, a
   * replacement in all files, a rename by a language server. Earlier approvals apply again (A96).
   */
  givenFiles(workspace: Workspace): Pick<AnnouncedFiles, "write">;
  /** Call before a restore: nothing else may be working on the files. */
  restoring(): void;
  restored(moment: Moment): Promise<void>;
  /** Ends the workspace's processes, and records what they left. Never rejects. */
  released(moment: Moment): Promise<void>;
  /**
   * Called when the project's files are about to be copied to a new project: only what was approved here is approved
   * there.
   */
  copied(to: string): Promise<void>;
  /** Deletes the stored state of a removed project. */
  removed(): Promise<void>;

  /** The authors of changes, for the run and the log. */
  readonly authors: Pick<
    Authors,
    | "personWrites"
    | "personSettled"
    | "settled"
    | "isPersons"
    | "isCommands"
    | "commandRuns"
    | "attribute"
  >;
  /** The checks that count. */
  readonly checks: Pick<ProjectChecks, "read" | "save" | "agree" | "takeDue">;
  /** Whether this content of a protected file was approved. */
  isAccepted: IsAccepted;
  /** Protected files whose current version nobody approved. */
  changed(workspace: Workspace): Promise<UnaskedChange[]>;
  /**
   * The person approves the new version of a protected file.
   * @throws ApiFailure as `ProtectedFiles.use`.
   */
  use(workspace: Workspace, path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Stores the changed version of a reverted file. Never rejects. */
  keepPutBack(bytes: Uint8Array): Promise<boolean>;
}

export function createProjectTrust(parts: {
  store: Store;
  project: string;
  /** Folder of the project's own state. */
  folder: string;
  now(): number;
  onNotice(text: string): void;
}): ProjectTrust {
  const { store, project, onNotice } = parts;
  const shared = { store, project, onNotice };
  const authors = createAuthors(parts.now);
  const { personActs } = authors;
  const files = createProtectedFiles({ ...shared, folder: parts.folder, personActs });
  const checks = createProjectChecks(shared);
  const between = createChangesBetweenTurns({ ...shared, isPersons: authors.isPersons });
  const participants: readonly TrustParticipant[] = [authors, files, checks, between];

  async function tellAll(call: (one: TrustParticipant) => Promise<void> | undefined) {
    for (const participant of participants) await call(participant);
  }
  const saved = (workspace: Workspace, path: ProjectPath, version: string) =>
    tellAll((one) => one.personSaved?.(workspace, path, version));

  return {
    opened: (moment) => tellAll((one) => one.opened?.(moment)),
    async turnBegins({ workspace, lastRun }, isNew) {
      const withheld = await files.changed(workspace);
      // Cleared before the changes are read: a save in between is then in at least one of the two.
      if (isNew) authors.runBegins();
      const changes = (await between.changes(workspace, lastRun)).filter(
        (change) => !withheld.some(({ path }) => path === change.path),
      );
      return { changes, untold: () => files.untold(withheld) };
    },
    watchCommands: () => commandWatch(authors),
    modelWrote(workspace, path, version, unseen) {
      // All participants are called at once, so that a following query includes this content.
      const calls = participants.map((one) => one.modelWrote?.(workspace, path, version, unseen));
      Promise.all(calls).catch((error: Error) => onNotice(error.message));
    },
    modelWorkspace: (workspace) =>
      withFiles(workspace, announcedFiles(workspace, authors.modelActs)),
    personFiles(workspace) {
      const announced = announcedFiles(workspace, personActs);
      return {
        async write(path, content, options) {
          const written = await announced.write(path, content, options);
          await saved(workspace, path, written.version);
          return written;
        },
        async remove(path, check) {
          await announced.remove(path, check);
          await saved(workspace, path, "");
        },
        async rename(from, to) {
          await announced.rename(from, to);
          await tellAll((one) => one.personRenamed?.(workspace, from, to));
        },
      };
    },
    clientFiles: (workspace) => announcedFiles(workspace, personActs),
    givenFiles(workspace) {
      const announced = announcedFiles(workspace, personActs);
      return {
        async write(path, content, options) {
          const written = await announced.write(path, content, options);
          await tellAll((one) => one.personGave?.(workspace, path, written.version));
          return written;
        },
      };
    },
    restoring() {
      for (const participant of participants) participant.restoring?.();
    },
    restored: (moment) => tellAll((one) => one.restored?.(moment)),
    async released(moment) {
      const ending = moment.workspace.endProcesses().catch(() => false);
      // Programs in the sandbox may block its guest.
      const quiet = (await inTime(ending, ENDING_MS)) === true;
      await tellAll((one) => one.released?.({ ...moment, quiet }));
    },
    copied: (to) => tellAll((one) => one.copied?.(to)),
    removed: () => tellAll((one) => one.removed?.()),
    authors,
    checks,
    isAccepted: files.isAccepted,
    changed: files.changed,
    use: files.use,
    keepPutBack: files.keepPutBack,
  };
}
