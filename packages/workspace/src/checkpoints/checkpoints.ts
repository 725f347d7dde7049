import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf } from "@treadle/protocol/project-path";
import { isDataFile } from "../ignored.ts";
import {
  WorkspaceError,
  type CheckpointRecord,
  type FileDifference,
  type FileMoment,
  type KeptFile,
  type ThinOptions,
  type Thinned,
} from "../types.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { PIECE, type GitStore } from "./git-store.ts";
import { keptFile, momentsOf } from "./kept-files.ts";
import { openKeptList, writeKeptList, type Kept } from "./kept-list.ts";
import { takeOver } from "./take-over.ts";
import { thinningRounds } from "./thinning.ts";

/** Attempts to save a project whose files keep changing, before the caller receives an error. */
const STORE_TRIES = 4;

/** Number of files restored concurrently, because syncing the disk takes most of the time. */
const AT_ONCE = 16;

/** Hash of all files of a revision. */
export function revisionOf(manifest: readonly ManifestEntry[]): string {
  const known = revisions.get(manifest);
  if (known !== undefined) return known;
  const hash = createHash("sha1");
  let text = "";
  for (const { mode, hash: blob, path } of manifest) {
    text += `${mode} ${blob} ${path}\0`;
    // Fewer, longer updates: each call costs more than hashing its bytes.
    if (text.length > 64_000) {
      hash.update(text);
      text = "";
    }
  }
  const revision = hash.update(text).digest("hex");
  revisions.set(manifest, revision);
  return revision;
}

/** Caches revisions of immutable lists. */
const revisions = new WeakMap<readonly ManifestEntry[], string>();

/** Creates the list of a project's checkpoints, which also saves and restores them. */
export function createCheckpoints(options: {
  stateDirectory: string;
  git: GitStore;
  manifest(): Promise<readonly ManifestEntry[]>;
  /** Existing paths of data that only the running app writes. */
  data(): Promise<ReadonlySet<ProjectPath>>;
  /** @param how.ifVersion the expected version; undefined: any. @throws WorkspaceError `conflict` */
  write(
    path: ProjectPath,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    how: { executable: boolean; ifVersion: string | undefined },
  ): Promise<void>;
  /** As `write`. */
  remove(path: ProjectPath, ifVersion?: string): Promise<void>;
  link(path: ProjectPath, to: string): Promise<void>;
  /** Removes empty folders, from this one upwards. */
  prune(path: ProjectPath): Promise<void>;
}) {
  const list = openKeptList(options.stateDirectory);
  const { all } = list;

  function find(name: string): Kept {
    const found = all().findLast((entry) => entry.checkpoint === name || entry.revision === name);
    if (found) return found;
    throw new WorkspaceError(
      "missing",
      list.wasThinned(name)
        ? sentence("checkpoint-thinned", { name })
        : sentence("checkpoint-unknown", { name: JSON.stringify(name) }),
    );
  }

  /**
   * Stores the current files, or returns `known` if it has the same revision. A file that is written between its
   * listing and git's reading leaves a tree without its content, which is refused; then everything is listed again, up
   * to `STORE_TRIES` times in all.
   */
  async function storeNow(known?: Kept): Promise<{ tree: string; revision: string }> {
    for (let tries = 1; ; tries++) {
      const manifest = await options.manifest();
      const revision = revisionOf(manifest);
      if (known?.revision === revision) return known;
      try {
        return { tree: await options.git.storeTree(manifest), revision };
      } catch (error) {
        if (tries === STORE_TRIES || (error as WorkspaceError).code !== "failed") throw error;
      }
    }
  }

  async function add(label: string): Promise<Kept> {
    const last = all().at(-1);
    const { tree, revision } = await storeNow(last);
    if (last?.revision === revision) return last;
    const entry = { checkpoint: list.nameFor(revision), revision, label, at: Date.now(), tree };
    await list.add(entry);
    return entry;
  }

  const trees = () => all().map(({ tree }) => tree);

  return {
    keep: async (label: string): Promise<CheckpointRecord> => shown(await add(label)),
    list: (): CheckpointRecord[] => all().map(shown),

    /** Sets the name of a checkpoint, or removes it if `name` is undefined. */
    async name(checkpoint: string, name: string | undefined): Promise<CheckpointRecord> {
      const { name: _, ...found } = find(checkpoint);
      const named = name === undefined ? found : { ...found, name };
      await list.replace(
        all().map((entry) => (entry.checkpoint === found.checkpoint ? named : entry)),
      );
      return shown(named);
    },

    /** See `Workspace.thin`. */
    async thin({ maxBytes, keep: pinned, now }: ThinOptions): Promise<Thinned> {
      let bytes = await options.git.size();
      const thinned: string[] = [];
      if (bytes <= maxBytes) return { thinned, bytes };
      const stays = ({ checkpoint, revision, name }: CheckpointRecord) =>
        name !== undefined || pinned.has(checkpoint) || pinned.has(revision);
      // Objects of removed checkpoints may alone exceed the limit.
      for (const round of [[], ...thinningRounds(all(), stays, now)]) {
        const removed = new Set(round);
        thinned.push(...round.filter((name) => all().some((one) => one.checkpoint === name)));
        // Removed from the list first, so that the list never names a deleted one.
        if (round.length > 0)
          await list.replace(all().filter(({ checkpoint }) => !removed.has(checkpoint)));
        await options.git.keepOnly(trees());
        bytes = await options.git.size();
        if (bytes <= maxBytes) break;
      }
      return { thinned, bytes };
    },

    /** Merges many small packs, so that reading stays fast. */
    async tidy(): Promise<void> {
      if (options.git.isScattered()) await options.git.keepOnly(trees());
    },

    /** See `Workspace.copyCheckpoints`. */
    async copyTo(name: string, stateDirectory: string): Promise<void> {
      const target = find(name);
      const remaining = all().slice(0, all().indexOf(target) + 1);
      const objects = await options.git.copyOut(remaining.map(({ tree }) => tree));
      await takeOver(objects, stateDirectory);
      // The objects that the list refers to have been stored by now.
      await writeKeptList(stateDirectory, { next: list.next(), kept: remaining });
    },

    /**
     * Restores only files that differ; secret files and the app's data stay unchanged.
     * @throws WorkspaceError `conflict` if a file was changed meanwhile: that file stays, others may have been restored
     */
    async restore(name: string): Promise<CheckpointRecord> {
      const target = find(name);
      const data = await options.data();
      const now = await options.manifest();
      const found = await options.git.differences(now, target.tree);
      const stays = (path: ProjectPath) => isDataFile(path) || data.has(path);
      const gone = found.gone.filter((path) => !stays(path));
      const changed = found.changed.filter(({ path }) => !stays(path));
      const links = new Set(now.filter(({ mode }) => mode === "120000").map(({ path }) => path));
      const hashes = new Map(now.map(({ path, hash }) => [path, hash]));
      /** The file's version when it was listed, so that newer changes are not overwritten. */
      const seenAs = (path: ProjectPath) => {
        const hash = links.has(path) ? undefined : hashes.get(path);
        return hash === undefined ? undefined : `blob:${hash}`;
      };
      // Checks that all content exists before anything is removed.
      const sizes = await options.git.blobSizes(changed.map((entry) => entry.hash));
      // Removals come first: a file may replace a folder, or a folder a file.
      for (const path of gone) await options.remove(path, seenAs(path));
      for (const folder of new Set(gone.map(folderOf))) if (folder) await options.prune(folder);
      const under = createSlots(AT_ONCE);
      for await (const [{ path, mode }, content] of contentsOf(options.git, changed, sizes)) {
        const put = async () => {
          if (mode === "120000" && content instanceof Uint8Array)
            return options.link(path, Buffer.from(content).toString());
          if (links.has(path)) await options.remove(path);
          const executable = mode === "100755";
          await options.write(path, content, { executable, ifVersion: seenAs(path) });
        };
        // Content in memory is written and synced concurrently; a long file is read in pieces while it is written,
        // before the next file.
        if (content instanceof Uint8Array) await under.begin(put);
        else await put();
      }
      await under.ended();
      return shown(target);
    },

    async diff(a: string, b?: string, path?: ProjectPath): Promise<FileDifference[]> {
      const from = find(a).tree;
      const to = b === undefined ? (await storeNow()).tree : find(b).tree;
      if (from === to) return [];
      const [all, data] = await Promise.all([options.git.diff(from, to, path), options.data()]);
      // The file may have been a source when one of the checkpoints was saved.
      return all.filter(({ path }) => !data.has(path));
    },

    fileAt: async (name: string, path: ProjectPath): Promise<KeptFile | undefined> =>
      keptFile(options.git, find(name).tree, path),
    fileHistory: async (path: ProjectPath): Promise<FileMoment[]> =>
      momentsOf(options.git, all(), path),
  };
}

/** Limits concurrency. `begin` and `ended` reject with the first error. */
function createSlots(most: number) {
  const going = new Set<Promise<void>>();
  let failed: { error: unknown } | undefined;
  const throwIfFailed = () => {
    if (failed) throw failed.error;
  };
  return {
    async begin(act: () => Promise<void>): Promise<void> {
      while (going.size >= most) await Promise.race(going);
      throwIfFailed();
      const one = act()
        .catch((error: unknown) => void (failed ??= { error }))
        .finally(() => going.delete(one));
      going.add(one);
    },
    async ended(): Promise<void> {
      await Promise.all(going);
      throwIfFailed();
    },
  };
}

/**
 * Yields each file with its content, with at most `PIECE` bytes in memory: a project may have any
 * size (A72).
 */
async function* contentsOf(
  git: GitStore,
  entries: readonly ManifestEntry[],
  sizes: readonly number[],
): AsyncGenerator<[ManifestEntry, Uint8Array | AsyncIterable<Uint8Array>], void> {
  for (let from = 0; from < entries.length;) {
    let to = from;
    let held = 0;
    while (to < entries.length && held + sizes[to]! <= PIECE) held += sizes[to++]!;
    if (to === from) {
      const entry = entries[from]!;
      yield [entry, git.readPieces(entry.hash, sizes[from]!)];
      from++;
      continue;
    }
    const some = entries.slice(from, to);
    const blobs = await git.readBlobs(some.map(({ hash }) => hash));
    for (const [index, entry] of some.entries()) yield [entry, blobs[index]!];
    from = to;
  }
}

const shown = ({ tree: _tree, ...record }: Kept): CheckpointRecord => record;
