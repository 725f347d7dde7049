import type { ProjectPath } from "@treadle/protocol";
import type { ChangedFile } from "@treadle/agent";
import type { Store } from "@treadle/store";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import type { LastRun, TrustParticipant } from "./participant.ts";

const keyOf = (project: string) => `between:${project}`;

/**
 * Maximum size of a file, in bytes, whose version is determined; a longer one has no known author.
 */
const BYTES = 4 * 1024 * 1024;
/** Maximum number of files whose author is determined; the others have no known author. */
const LOOKED = 2_000;

/** State stored from the end of the last process until the next opening. */
interface Kept {
  /** Files that had changed since the last turn by then, and not by the person. */
  outside: [path: ProjectPath, version: string][];
}

/**
 * Determines who changed files between two turns. The person's changes are those through the page,
 * those of a restored checkpoint, and those made while no process of the project was running. All
 * others may be a program's: the model must not be told that the person wanted them.
 */
export interface ChangesBetweenTurns extends TrustParticipant {
  /** Changes since the last run ended. Empty if its checkpoint is gone. */
  changes(workspace: Workspace, lastRun: LastRun): Promise<ChangedFile[]>;
}

export function createChangesBetweenTurns(parts: {
  store: Store;
  project: string;
  /** Whether the person wrote this version through the page; an empty one: removed the file. */
  isPersons(path: ProjectPath, version: string): boolean;
  onNotice(text: string): void;
}): ChangesBetweenTurns {
  const { store, project } = parts;
  /** The person's changes other than through the page. */
  const persons = new Map<ProjectPath, string>();

  const isPersons = ({ path, version }: Changed) =>
    parts.isPersons(path, version) || persons.get(path) === version;

  return {
    async opened({ workspace, lastRun }) {
      persons.clear();
      const stored = await store.settings.get<Kept>(keyOf(project));
      if (!stored) return;
      // The stored state is valid for this opening only: from now on, processes may be running.
      await store.settings.remove(keyOf(project));
      const outside = new Map(stored.outside);
      for (const { path, version } of await changedSince(workspace, lastRun))
        if (outside.get(path) !== version) persons.set(path, version);
    },
    async released({ workspace, lastRun, quiet }) {
      if (!quiet) return;
      try {
        const outside = (await changedSince(workspace, lastRun)).filter((one) => !isPersons(one));
        const stored: Kept = { outside: outside.map(({ path, version }) => [path, version]) };
        await store.settings.set(keyOf(project), stored);
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        parts.onNotice(`Who changed the files was not kept: ${words}`);
      }
    },
    async restored({ workspace, lastRun }) {
      for (const { path, version } of await changedSince(workspace, lastRun))
        persons.set(path, version);
    },
    removed: () => store.settings.remove(keyOf(project)),
    async changes(workspace, lastRun) {
      const changed = await changedSince(workspace, lastRun);
      return changed.map(({ version, ...change }) => ({
        ...change,
        by: isPersons({ version, ...change }) ? "person" : "outside",
      }));
    },
  };
}

type Changed = Omit<ChangedFile, "by"> & { version: string };

async function changedSince(workspace: Workspace, lastRun: LastRun): Promise<Changed[]> {
  if (!lastRun) return [];
  try {
    if ((await workspace.revision()) === lastRun.revision) return [];
    const all = await workspace.diff(lastRun.checkpoint);
    const changed: Changed[] = [];
    for (const [index, change] of all.entries())
      changed.push({
        ...change,
        version: index < LOOKED ? await versionOf(workspace, change) : UNKNOWN,
      });
    return changed;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "missing") return [];
    throw error;
  }
}

/** Represents a version that no file has. */
const UNKNOWN = "?";

async function versionOf(
  { files }: Workspace,
  { path, kind }: Omit<ChangedFile, "by">,
): Promise<string> {
  if (kind === "removed") return "";
  return files.read(path, { limit: BYTES }).then(
    ({ version }) => version,
    () => UNKNOWN,
  );
}
