import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorkspaceError, type CheckpointRecord, type FileDifference } from "../types.ts";
import type { ManifestEntry } from "../wire/types.ts";
import type { GitStore } from "./git-store.ts";

type Kept = CheckpointRecord & { tree: string };

/** Hash of everything that takes part in a revision. */
export function revisionOf(manifest: ManifestEntry[]): string {
  const hash = createHash("sha1");
  for (const { mode, hash: blob, path } of manifest) hash.update(`${mode} ${blob} ${path}\0`);
  return hash.digest("hex");
}

/** The list of kept revisions, and the way back to them. */
export function createCheckpoints(options: {
  stateDirectory: string;
  git: GitStore;
  manifest(): Promise<ManifestEntry[]>;
  write(path: string, bytes: Uint8Array, executable: boolean): Promise<void>;
  remove(path: string): Promise<void>;
}) {
  const file = join(options.stateDirectory, "checkpoints.json");
  let kept: Kept[] | undefined;
  const all = (): Kept[] =>
    (kept ??= existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept[]) : []);

  function find(name: string): Kept {
    const found = all().findLast((entry) => entry.checkpoint === name || entry.revision === name);
    if (!found)
      throw new WorkspaceError("missing", `there is no checkpoint ${JSON.stringify(name)}`);
    return found;
  }

  async function keep(label: string): Promise<Kept> {
    const manifest = await options.manifest();
    const revision = revisionOf(manifest);
    const last = all().at(-1);
    if (last?.revision === revision) return last;
    const tree = await options.git.storeTree(manifest);
    const entry = {
      checkpoint: `c${all().length + 1}-${revision.slice(0, 8)}`,
      revision,
      label,
      at: Date.now(),
      tree,
    };
    all().push(entry);
    writeFileSync(`${file}.new`, JSON.stringify(all()));
    renameSync(`${file}.new`, file);
    return entry;
  }

  return {
    keep: async (label: string): Promise<CheckpointRecord> => shown(await keep(label)),
    list: (): CheckpointRecord[] => all().map(shown),

    /** Puts back what differs, and nothing else; secret files are not in checkpoints and stay as they are. */
    async restore(name: string): Promise<CheckpointRecord> {
      const target = find(name);
      const wanted = new Map(
        (await options.git.readTree(target.tree)).map((entry) => [entry.path, entry]),
      );
      const now = new Map(
        (await options.manifest())
          .filter((entry) => !entry.secret)
          .map((entry) => [entry.path, entry]),
      );
      const gone = [...now.keys()].filter((path) => !wanted.has(path));
      const changed = [...wanted.values()].filter((entry) => {
        const there = now.get(entry.path);
        return there?.hash !== entry.hash || there.mode !== entry.mode;
      });
      // Links are made by commands alone; one that went away stays away rather than be made by us.
      const files = changed.filter((entry) => entry.mode !== "120000");
      const blobs = await options.git.readBlobs(files.map((entry) => entry.hash));
      for (const path of gone) await options.remove(path);
      for (const [index, entry] of files.entries())
        await options.write(entry.path, blobs[index]!, entry.mode === "100755");
      return shown(target);
    },

    async diff(a: string, b?: string): Promise<FileDifference[]> {
      const from = find(a).tree;
      const to =
        b === undefined ? await options.git.storeTree(await options.manifest()) : find(b).tree;
      return from === to ? [] : options.git.diff(from, to);
    },
  };
}

const shown = ({ tree: _tree, ...record }: Kept): CheckpointRecord => record;
