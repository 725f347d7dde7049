import { isUnder } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import {
  agreedChecks,
  CHECKS_FILE,
  readChecks,
  type ChecksStore,
  type CountedChecks,
} from "@treadle/agent";
import type { Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import type { TrustParticipant } from "./participant.ts";

/**
 * Number of versions of the file for which the applying checks are stored: restoring a checkpoint restores one of
 * these.
 */
const REMEMBERED = 10;

const keyOf = (project: string) => `checks:${project}`;

interface Kept {
  standing: CountedChecks;
  versions: [version: string, standing: CountedChecks][];
  /** The version when the project's last process had ended; absent while processes may be running. */
  left?: string;
}

/**
 * Determines which checks of a project count. Approved are those that the person saved, that the
 * project came with, or that changed while no process was running; changes by the model or a
 * process count once the person approves them.
 */
export interface ProjectChecks extends ChecksStore, TrustParticipant {
  /**
   * Records that the person approves the current checks, and that the next run has to observe the project. Resolves
   * when that is durable.
   */
  agree(workspace: Workspace): Promise<void>;
  /** Whether nobody has observed the project since the person's approval; called before it is observed. */
  takeDue(): boolean;
}

export function createProjectChecks(parts: {
  store: Store;
  project: string;
  onNotice(text: string): void;
}): ProjectChecks {
  const { store, project } = parts;
  let counted: CountedChecks | undefined;
  let left: string | undefined;
  let due = false;
  const versions = new Map<string, CountedChecks>();
  let saving: Promise<void> = Promise.resolve();

  function save(): Promise<void> {
    saving = saving
      .then(async () => {
        if (!counted) return;
        const stored: Kept = { standing: counted, versions: [...versions] };
        if (left !== undefined) stored.left = left;
        await store.settings.set(keyOf(project), stored);
      })
      .catch((error: Error) => parts.onNotice(`What checks count was not kept: ${error.message}`));
    return saving;
  }

  function hold(next: CountedChecks, version: string): void {
    counted = next;
    versions.delete(version);
    versions.set(version, next);
    if (versions.size > REMEMBERED) versions.delete(versions.keys().next().value ?? "");
  }

  async function hasAgreed(workspace: Workspace): Promise<void> {
    const file = await readChecks(workspace);
    hold(agreedChecks(file), file.version);
    await save();
  }

  /** Records that the person wrote, removed or renamed this file or folder. */
  async function saved(workspace: Workspace, path: ProjectPath): Promise<void> {
    if (isUnder(CHECKS_FILE, path)) await hasAgreed(workspace);
  }

  return {
    read: () => counted,
    save(next, version) {
      hold(next, version);
      void save();
    },
    async opened({ workspace }) {
      const stored = await store.settings.get<Kept>(keyOf(project));
      for (const [version, known] of stored?.versions ?? []) versions.set(version, known);
      counted = stored?.standing;
      const file = await readChecks(workspace);
      const isPersons = !stored || (stored.left !== undefined && stored.left !== file.version);
      if (isPersons) hold(agreedChecks(file), file.version);
      left = undefined;
      await save();
    },
    async released({ workspace, quiet }) {
      const file = quiet ? await readChecks(workspace).catch(() => undefined) : undefined;
      left = file?.version;
      await save();
    },
    personSaved: saved,
    async personRenamed(workspace, from, to) {
      for (const path of [from, to]) await saved(workspace, path);
    },
    async copied(to) {
      await saving;
      if (counted)
        await store.settings.set(keyOf(to), { standing: counted, versions: [...versions] });
    },
    removed: () => store.settings.remove(keyOf(project)),
    async restored({ workspace }) {
      const { version } = await readChecks(workspace);
      const known = versions.get(version);
      if (!known) return hasAgreed(workspace);
      hold(known, version);
      await save();
    },
    async agree(workspace) {
      const before = JSON.stringify(counted);
      await hasAgreed(workspace);
      if (JSON.stringify(counted) !== before) due = true;
    },
    takeDue() {
      const was = due;
      due = false;
      return was;
    },
  };
}
