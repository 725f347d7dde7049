import type { ProjectPath } from "@treadle/protocol";
import type { ChangedFile } from "@treadle/agent";
import type { Store } from "@treadle/store";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import type { LastRun, TrustParticipant } from "./participant.ts";

const keyOf = (project: string) => `between:${project}`;

/** Bytes of a file whose version is asked for; a longer one is nobody's in particular. */
const BYTES = 4 * 1024 * 1024;
/** Files whose author is looked for; of more, those that come last are nobody's in particular. */
const LOOKED = 2_000;

/** What is kept from the end of the last process to the next opening. */
interface Kept {
  /** What had changed since the last turn by then, and not by the person. */
  outside: [path: ProjectPath, version: string][];
}

/**
 * Who changed the files between two turns. The person's is what came through the page, what a checkpoint that they
 * went back to brought, and what changed while no process of the project was alive. All else may be a program's: the model
 * must not be told that it is the person's wish.
 */
export interface ChangesBetweenTurns extends TrustParticipant {
  /** What changed since the last run ended. A checkpoint that is gone tells nothing, and stops nothing. */
  changes(workspace: Workspace, lastRun: LastRun): Promise<ChangedFile[]>;
}

export function createChangesBetweenTurns(parts: {
  store: Store;
  project: string;
  /** Whether the person left this version through the page; an empty one: removed the file. */
  isPersons(path: ProjectPath, version: string): boolean;
  onNotice(text: string): void;
}): ChangesBetweenTurns {
  const { store, project } = parts;
  /** Besides what came through the page. */
  const persons = new Map<ProjectPath, string>();

  const isPersons = ({ path, version }: Changed) =>
    parts.isPersons(path, version) || persons.get(path) === version;

  return {
    async opened({ workspace, lastRun }) {
      persons.clear();
      const stored = await store.settings.get<Kept>(keyOf(project));
      if (!stored) return;
      // What is left is known for this one opening: from now on something may be alive.
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

/** No file's version. */
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
