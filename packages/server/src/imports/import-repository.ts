import { chownSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpointTrees, type Workspace } from "@treadle/workspace";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import {
  fetchBranch,
  findBranch,
  openRepository,
  type Repository,
  saveSeen,
  takeObjects,
} from "@treadle/git";
import type { GitState, Progress, Remote } from "@treadle/git";
import { IMPORT_MARK } from "../project-context/drafts.ts";
import type { ImportParts } from "./import-archive.ts";

/** Maximum number of files in an imported commit, and their maximum total size in bytes. */
const FILES = 100_000;
const BYTES = 2 * 1024 * 1024 * 1024;
/**
 * The temporary archive in the project. Files of this name are neither listed nor watched nor part of checkpoints.
 */
const PACKED = ".treadle-writing-import.tar";

export interface ImportedRepository {
  id: string;
  files: number;
  branch: string;
  /** Notes for the person. */
  notes: Sentence[];
}

/**
 * Creates a project from a git repository: its branch is fetched into a bare clone beside the
 * project's files, which are unpacked inside the sandbox. Hooks, filters, attributes, submodules
 * and settings are only data (A26). A failed or aborted import leaves nothing behind.
 * @throws ApiFailure with the reason; an AbortError if `signal` was aborted
 */
export async function importRepository(
  request: { remote: Remote; branch?: string | undefined; name?: string | undefined },
  parts: ImportParts & {
    saveState(project: string, state: GitState): Promise<void>;
    onProgress(progress: Progress): void;
    signal: AbortSignal;
  },
): Promise<ImportedRepository> {
  const { remote } = request;
  const { signal, onProgress } = parts;
  const id = await parts.create(request.name ?? remote.address.name);
  try {
    const folder = parts.folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, IMPORT_MARK), "");
    const repository = await openRepository(join(folder, "remote.git"));
    const branch = request.branch ?? (await findBranch(repository, remote, signal));
    const commit = await fetchBranch(repository, remote, branch, { signal, onProgress });
    await saveSeen(repository, branch, commit);
    const found = await lookInto(repository, commit);
    // Opened while empty, so that nobody has accepted what follows (A32).
    const workspace = await parts.workspace(id);
    onProgress({ doing: "Unpacking files", percent: 0 });
    await unpack(repository, commit, workspace, join(folder, "files"));
    signal.throwIfAborted();
    const { checkpoint } = await workspace.checkpoint(`Imported from ${remote.address.url}`);
    const { url } = remote.address;
    const checkpoints = checkpointTrees(join(folder, "state"));
    const tree = checkpoints.trees.get(checkpoint);
    if (tree !== undefined) await takeObjects(repository, checkpoints, [tree]);
    await parts.saveState(id, {
      url,
      local: remote.local,
      branch,
      commit,
      tree,
    });
    await rm(join(folder, IMPORT_MARK));
    onProgress({ doing: "Unpacking files", percent: 100 });
    return { id, files: found.files, branch, notes: found.notes };
  } catch (error) {
    await parts.remove(id);
    throw error;
  }
}

/**
 * Checks the size of a commit before it is unpacked.
 * @returns the number of its files, and notes for the person
 * @throws ApiFailure 413 if it is too large
 */
async function lookInto(
  repository: Repository,
  commit: string,
): Promise<{ files: number; notes: Sentence[] }> {
  const listed = (await repository.git(["ls-tree", "-r", "-l", "-z", commit])).toString();
  const paths = new Set<string>();
  let files = 0;
  let bytes = 0;
  let submodules = 0;
  for (const line of listed.split("\0")) {
    const [, mode, size, path = ""] = /^(\d+) \w+ \w+ +(\d+|-)\t([^]*)$/.exec(line) ?? [];
    if (mode === undefined) continue;
    if (mode === "160000") {
      submodules++;
      continue;
    }
    files++;
    bytes += Number(size);
    paths.add(path);
  }
  if (files > FILES || bytes > BYTES)
    throw new ApiFailure(
      413,
      "too-large",
      sentence("repository-too-large", { files, megabytes: Math.round(bytes / 1e6) }),
    );
  const notes: Sentence[] = [];
  if (submodules > 0) notes.push(sentence("import-submodules", { count: submodules }));
  const attributes = paths.has(".gitattributes")
    ? (await repository.git(["cat-file", "blob", `${commit}:.gitattributes`])).toString()
    : "";
  if (/filter=lfs/.test(attributes)) notes.push(sentence("import-lfs"));
  const isWeb = [...paths].some((path) => /(?:^|\/)(?:package\.json|index\.html)$/.test(path));
  if (!isWeb) notes.push(sentence("import-not-web"));
  return { files, notes };
}

/**
 * Unpacks a commit inside the sandbox, where links lead nowhere else. It is passed in as one archive, since
 * thousands of single files would each be synced to disk.
 * @throws ApiFailure 422 `git-unpack`
 */
async function unpack(
  repository: Repository,
  commit: string,
  workspace: Workspace,
  files: string,
): Promise<void> {
  const packed = join(files, PACKED);
  await repository.git(["archive", "--format=tar", "-o", packed, commit]);
  // Runs as the owner of the files; no code of the project has run in there yet.
  const { uid, gid } = statSync(files);
  chownSync(packed, uid, gid);
  const exit = await workspace.run(
    `tar -xf ${PACKED} --no-same-owner --no-same-permissions --keep-old-files --exclude=.git --exclude='${PACKED}' && sync -f . ; code=$?; rm -f ${PACKED}; exit $code`,
  );
  if (exit.kind === "exited" && exit.code === 0) return;
  throw new ApiFailure(
    422,
    "git-unpack",
    sentence("git-unpack", { why: exit.output.trim().slice(-400) || exit.kind }),
  );
}
