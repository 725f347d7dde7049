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

/** Milliseconds after which a sandbox that does not end its processes is taken for one in which something is alive. */
const ENDING_MS = 8_000;

/** What the run that begins is told of the time since the last one. */
export interface SinceLastTurn {
  /** Without protected files that nobody agreed to: to be told what became of a rule is to be told the rule (A24). */
  changes: ChangedFile[];
  /** Protected files that stand otherwise than agreed to, and that the person was not told of yet; they count as told once this is called. */
  untold(): UnaskedChange[];
}

/**
 * What counts as the person's in one project, and what only came to be there: docs/yours.md says it for people. One life:
 * opened, then turns, commands, saves and restores in any order, then released; and from the beginning again, until the
 * project is removed.
 */
export interface ProjectTrust {
  /** Before anything is started in the workspace. Rejects as the workspace does: it is not to be used then. */
  opened(moment: Moment): Promise<void>;
  /** A run begins. @param isNew it is not one that goes on after it has waited */
  turnBegins(moment: Moment, isNew: boolean): Promise<SinceLastTurn>;
  /** Is shown a run's or a look's own events, and so knows when one of its commands runs; closed at its end. */
  watchCommands(): { see(event: LogEvent): void; close(): void };
  /** @param unseen nobody was shown it, so nobody approved it either. Never rejects. */
  modelWrote(workspace: Workspace, path: ProjectPath, version: string, unseen: boolean): void;
  /** As a run has it: what the model does to files through it is known to be the model's before a watcher tells of it. */
  modelWorkspace(workspace: Workspace): Workspace;
  /** What the person does to files through the page is done with this alone. */
  personFiles(workspace: Workspace): AnnouncedFiles;
  /**
   * The same for a client that keeps a copy of the files in which programs write as well: what it sends counts as changed
   * by the person, and as agreed to by nobody (A82).
   */
  clientFiles(workspace: Workspace): AnnouncedFiles;
  /**
   * The same for files that the person gave without looking into them, or in which words were changed that others chose: a
   * folder, what is replaced in all files, what a language server renames. What was agreed to once is so again (A96).
   */
  givenFiles(workspace: Workspace): Pick<AnnouncedFiles, "write">;
  /** Around putting the files back: before it, nothing else may be at work on them. */
  restoring(): void;
  restored(moment: Moment): Promise<void>;
  /** Ends the workspace's processes, and notes what they left. Never rejects. */
  released(moment: Moment): Promise<void>;
  /** Its files are going to be copied to a new project: what was agreed to counts there too, and nothing else does. */
  copied(to: string): Promise<void>;
  /** Forgets what is kept of a project that is removed. */
  removed(): Promise<void>;

  /** Who wrote what, for the run and for the log. */
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
  /** Which checks count. */
  readonly checks: Pick<ProjectChecks, "read" | "save" | "agree" | "takeDue">;
  /** Whether this content of a protected file was agreed to. */
  isAccepted: IsAccepted;
  /** Protected files that nobody agreed to as they stand. */
  changed(workspace: Workspace): Promise<UnaskedChange[]>;
  /** The person agrees to what a protected file became. @throws ApiFailure as `ProtectedFiles.use`. */
  use(workspace: Workspace, path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Keeps a file that was put back as it had become. Never rejects. */
  keepPutBack(bytes: Uint8Array): Promise<boolean>;
}

export function createProjectTrust(parts: {
  store: Store;
  project: string;
  /** Where the project's own things are kept. */
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
      // Before the changes are looked at: what is saved meanwhile is in one of the two at least.
      if (isNew) authors.runBegins();
      const changes = (await between.changes(workspace, lastRun)).filter(
        (change) => !withheld.some(({ path }) => path === change.path),
      );
      return { changes, untold: () => files.untold(withheld) };
    },
    watchCommands: () => commandWatch(authors),
    modelWrote(workspace, path, version, unseen) {
      // All at once: who asks next, asks about this content too.
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
      // What runs in there may hold up its guest.
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
