import { planSync, type SyncStep } from "./plan-sync.ts";
import { SyncRefused, type Side, type SideName, type SyncedFile } from "./types.ts";

/** Maximum number of files that may be removed from a side without asking. */
export const REMOVED_UNASKED = 20;
/** Length of the hash prefix that distinguishes the names of conflicting copies. */
const NAMED = 8;

/** A completed action, as it is reported. */
export type SyncNews =
  | { kind: "wrote"; to: SideName; path: string }
  | { kind: "removed"; from: SideName; path: string }
  /** The project's version is kept; the folder's is saved as `beside` on both sides. */
  | { kind: "conflict"; path: string; beside: string }
  | { kind: "refused"; path: string; reason: string };

export interface Round {
  /** Whether something changed during the round, so that another one is needed. */
  again: boolean;
  /** The number of files that would have been removed from a side; none of them was. */
  held?: { from: SideName; count: number } | undefined;
}

export interface SyncOptions {
  folder: Side;
  project: Side;
  /** The state in which both sides last agreed; it is updated by each step. */
  base: Map<string, string>;
  onNews(news: SyncNews): void;
  /** Whether any number of files may be removed. */
  mayRemoveMany?: boolean;
}

export interface KeptInStep {
  readonly mayRemoveMany: boolean;
  /** Compares both sides, and copies each side's changes to the other. */
  round(): Promise<Round>;
}

/**
 * Synchronizes two sides on which others work at the same time. No text is lost: each step states what it expects to
 * find, and if both sides changed a file, both versions are kept.
 */
export function keepInStep({ folder, project, base, onNews, ...options }: SyncOptions): KeptInStep {
  const sides = { folder, project };
  /** Files that a side refused, with their versions: reported once, and retried when they change. */
  const refused = new Map<string, string>();

  /** The file as planned; undefined if it has changed since. */
  async function planned(side: Side, path: string, version: string) {
    const file = await side.read(path);
    return file?.version === version ? file : undefined;
  }

  /** Carries out a step. @returns false if the file has changed since it was planned */
  async function take(step: SyncStep): Promise<boolean> {
    const { path } = step;
    switch (step.kind) {
      case "agree":
        note(path, step.version);
        return true;
      case "remove":
        if (!(await sides[step.from].remove(path, step.expected))) return false;
        note(path, undefined);
        onNews({ kind: "removed", from: step.from, path });
        return true;
      case "write": {
        const { to, version, expected } = step;
        const file = await planned(to === "folder" ? project : folder, path, version);
        if (!file || !(await sides[to].write(path, file, expected))) return false;
        note(path, version);
        onNews({ kind: "wrote", to, path });
        return true;
      }
      case "conflict": {
        const [ours, theirs] = [await planned(folder, path, step.folder), await planned(project, path, step.project)]; // prettier-ignore
        if (!ours || !theirs) return false;
        const beside = await keepBeside(path, ours);
        if (!(await folder.write(path, theirs, ours.version))) return false;
        note(path, theirs.version);
        onNews({ kind: "conflict", path, beside });
        return true;
      }
    }
  }

  /** Saves the folder's version in the project under another name before anything replaces it. */
  async function keepBeside(path: string, file: SyncedFile): Promise<string> {
    for (let digits = NAMED; ; digits += NAMED) {
      const beside = `${path}.conflict-${file.version.slice(0, digits)}`;
      if (await project.write(beside, file, undefined)) return beside;
      // An interrupted earlier round already saved it.
      if ((await project.read(beside))?.version === file.version) return beside;
      if (digits > file.version.length)
        throw new SyncRefused(`there is already something else at ${beside}`);
    }
  }

  function note(path: string, version: string | undefined): void {
    refused.delete(path);
    if (version === undefined) base.delete(path);
    else base.set(path, version);
  }

  return {
    mayRemoveMany: options.mayRemoveMany === true,
    async round() {
      // The project decides which of its files are sources; the folder's sources are added.
      const there = await project.versions(base.keys());
      const here = await folder.versions([...base.keys(), ...there.keys()]);
      const steps = planSync(base, { folder: here, project: there });
      const held = options.mayRemoveMany ? undefined : tooMany(steps, base.size);
      let again = false;
      for (const step of steps) {
        if (held && step.kind === "remove" && step.from === held.from) continue;
        const asked = JSON.stringify(step);
        if (refused.get(step.path) === asked) continue;
        try {
          if (!(await take(step))) again = true;
          else if (step.kind === "conflict") again = true;
        } catch (error) {
          if (!(error instanceof SyncRefused)) throw error;
          refused.set(step.path, asked);
          onNews({ kind: "refused", path: step.path, reason: error.message });
        }
      }
      return { again, held };
    },
  };
}

/** The removals of a round if they are too many: an unmounted disk or a mistake may be the cause. */
function tooMany(steps: readonly SyncStep[], all: number): Round["held"] {
  for (const from of ["folder", "project"] as const) {
    const count = steps.filter((step) => step.kind === "remove" && step.from === from).length;
    if (count > REMOVED_UNASKED || (count > 1 && count === all)) return { from, count };
  }
  return undefined;
}
