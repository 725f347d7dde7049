import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type CheckpointRecord, type FileMoment, type KeptFile } from "../types.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import type { GitStore } from "./git-store.ts";

/**
 * Maximum size of a file read into memory, in bytes: the same as for reads of the project's own
 * files.
 */
const WHOLE = 16 * 1024 * 1024;

/** The last requested tree, cached because several files of it are usually requested. */
const lastTree = new WeakMap<GitStore, { tree: string; entries: Map<string, ManifestEntry> }>();

async function entryOf(git: GitStore, tree: string, path: ProjectPath) {
  let last = lastTree.get(git);
  if (last?.tree !== tree) {
    const entries = (await git.readTree(tree)).map((entry) => [entry.path, entry] as const);
    lastTree.set(git, (last = { tree, entries: new Map(entries) }));
  }
  return last.entries.get(path);
}

/**
 * Reads a file of a stored tree; undefined if the tree has no such file. Rejects with code `too-large` above `WHOLE`.
 */
export async function keptFile(
  git: GitStore,
  tree: string,
  path: ProjectPath,
): Promise<KeptFile | undefined> {
  const entry = await entryOf(git, tree, path);
  if (!entry) return undefined;
  const [size = 0] = await git.blobSizes([entry.hash]);
  if (size > WHOLE)
    throw new WorkspaceError(
      "too-large",
      sentence("checkpoint-file-too-large", { path, limit: WHOLE / 1024 / 1024 }),
    );
  const [bytes = Buffer.alloc(0)] = await git.readBlobs([entry.hash]);
  return {
    bytes,
    version: createHash("sha1").update(bytes).digest("hex"),
    executable: entry.mode === "100755",
    ...(entry.mode === "120000" && { link: true as const }),
  };
}

/** Finds the checkpoints, in order of creation, in which a file changed. */
export async function momentsOf(
  git: GitStore,
  checkpoints: readonly (CheckpointRecord & { tree: string })[],
  path: ProjectPath,
): Promise<FileMoment[]> {
  const blobs = await git.blobsAt(
    checkpoints.map(({ tree }) => tree),
    path,
  );
  return checkpoints.flatMap(({ checkpoint, label, at }, index) => {
    const was = index === 0 ? undefined : blobs[index - 1];
    const is = blobs[index];
    if (was === is) return [];
    const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ checkpoint, before: checkpoints[index - 1]?.checkpoint, label, at, kind }];
  });
}
