import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { checkPath, checkpointTrees, WorkspaceError, type Workspace } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import { keepCheckpoint } from "../project-context/keep-checkpoint.ts";
import type { ProjectRuntime } from "../runtime/types.ts";
import type { AnnouncedFiles } from "../trust/announced-files.ts";
import {
  type Commits,
  type Conflict,
  fetchBranch,
  gatherTurns,
  type GitState,
  keepGitState,
  makeCommits,
  mergeCommits,
  openRepository,
  readGitAddress,
  readGitState,
  type Remote,
  type Repository,
  type Resolution,
  runGit,
  type Turn,
} from "@treadle/git";
import type { GitLogins } from "@treadle/git";

/** Entries of a log that are held at a time. */
const PAGE = 500;
const FETCH_TREE = "refs/treadle/known";

/** What pushing and pulling work with. */
export interface SyncParts {
  store: Store;
  logins: GitLogins;
  runtime: ProjectRuntime;
  /** The project's own, beside its files. */
  folder: string;
  signal?: AbortSignal | undefined;
}

export type Pulled =
  | { state: "current" }
  | { state: "pulled"; files: number }
  | { state: "conflicts"; conflicts: Conflict[]; seen: string };

/**
 * The person's resolutions of conflicts, with the two versions they apply to (`seen`, as it was sent with the
 * conflicts).
 */
interface Settled {
  resolutions: Readonly<Record<string, Resolution>>;
  seen?: string | undefined;
}

interface Place {
  state: GitState;
  repository: Repository;
  remote: Remote;
}

/**
 * Pushes the project to its branch, a commit for each turn since the last time, or one for all of them. Never overwrites what
 * somebody else pushed.
 * @throws ApiFailure `git-moved` where the branch holds more by now; nothing was changed then
 */
export async function push(
  parts: SyncParts,
  options: { squash: boolean },
): Promise<{ pushed: number; commit: string | undefined }> {
  const place = await placeOf(parts);
  const { state, repository, remote } = place;
  const turns = await newTurns(parts, state);
  const { head, made, tree } = await commitNow(parts, place, turns, options.squash);
  if (head === undefined) throw new ApiFailure(409, "git-nothing", "There is nothing to push yet.");
  const spec = `${head}:refs/heads/${state.branch}`;
  await repository.git(["push", "--porcelain", "--no-verify", "--", remote.address.url, spec], {
    remote,
    signal: parts.signal,
  });
  await known(parts, repository, { ...state, commit: head, tree, ...lastRun(turns) });
  return { pushed: made, commit: head };
}

/**
 * Merges commits of others into the project's files. Nothing changes while a conflict has no resolution. A resolution of
 * outdated versions does not count.
 * @throws ApiFailure `working` while a turn is active, `changed` if a file is edited meanwhile
 */
export async function pull(parts: SyncParts, { resolutions, seen }: Settled): Promise<Pulled> {
  if (parts.runtime.isWorking())
    throw new ApiFailure(409, "working", "A turn is running. Pull when it has ended.");
  const place = await placeOf(parts);
  const { state, repository, remote } = place;
  const theirs = await fetchBranch(repository, remote, state.branch, { signal: parts.signal });
  // A turn may have begun while the other side was waited for.
  return parts.runtime.alone(() => bringIn(parts, place, theirs, { resolutions, seen }));
}

/** Brings a commit of others into the files. Nothing else is at work on them. */
async function bringIn(
  parts: SyncParts,
  place: Place,
  theirs: string,
  { resolutions, seen }: Settled,
): Promise<Pulled> {
  const { state, repository } = place;
  const turns = await newTurns(parts, state);
  const ours = await commitNow(parts, place, turns, false);
  const { head } = ours;
  if (head !== undefined && (await isAncestor(repository, theirs, head)))
    return { state: "current" };
  const isBehind = head !== undefined && (await isAncestor(repository, head, theirs));
  const from =
    head === undefined ? ours.tree : await repository.line(["rev-parse", `${head}^{tree}`]);
  const sides = `${from} ${theirs}`;
  const meant = seen === undefined || seen === sides ? resolutions : {};
  const merged =
    head === undefined || isBehind
      ? { tree: await repository.line(["rev-parse", `${theirs}^{tree}`]) }
      : await mergeCommits(repository, [head, theirs], meant);
  if ("conflicts" in merged)
    return { state: "conflicts", conflicts: merged.conflicts, seen: sides };
  const commit =
    head === undefined || isBehind
      ? theirs
      : await repository.line(["commit-tree", merged.tree, "-p", head, "-p", theirs, "-F", "-"], {
          input: `Merge what others pushed to ${state.branch}\n`,
        });
  const workspace = await parts.runtime.workspace();
  const files = await applyTree(
    repository,
    { from, to: merged.tree },
    workspace,
    // What others wrote is agreed to by nobody yet (A32).
    await parts.runtime.clientFiles(),
  );
  const { checkpoint } = await keepCheckpoint(
    parts.runtime,
    workspace,
    `Pulled from ${state.branch}`,
  );
  const checkpoints = checkpointTrees(join(parts.folder, "state"));
  const tree = checkpoints.trees.get(checkpoint);
  await known(parts, repository, {
    ...state,
    commit,
    ...(tree === undefined ? {} : { tree }),
    ...lastRun(turns),
  });
  return { state: "pulled", files };
}

async function placeOf({ store, logins, runtime, folder }: SyncParts): Promise<Place> {
  const state = await readGitState(store, runtime.id);
  if (!state)
    throw new ApiFailure(
      409,
      "git-none",
      "This project has no repository yet. Say where it is first.",
    );
  const remote = await logins.remoteOf(readGitAddress(state.url), state.local);
  return { state, remote, repository: await openRepository(join(folder, "remote.git")) };
}

async function newTurns({ store, runtime }: SyncParts, { run }: GitState): Promise<Turn[]> {
  const gathered = gatherTurns();
  for (let after = 0; ;) {
    const page = await store.log.read(runtime.id, after, PAGE);
    for (const entry of page) gathered.add(entry);
    const last = page.at(-1);
    if (!last) break;
    after = last.seq;
  }
  const turns = gathered.turns();
  return turns.slice(turns.findIndex((turn) => turn.run === run) + 1);
}

async function commitNow(
  { runtime, folder, signal }: SyncParts,
  { state, repository }: Place,
  turns: readonly Turn[],
  squash: boolean,
): Promise<Commits> {
  const { checkpoint } = await keepCheckpoint(runtime, await runtime.workspace(), "For git");
  const checkpoints = checkpointTrees(join(folder, "state"));
  // Its objects are here already; a reference keeps them.
  return makeCommits(repository, { state, checkpoints, turns, now: checkpoint, squash, signal });
}

const lastRun = (turns: readonly Turn[]) => {
  const run = turns.at(-1)?.run;
  return run === undefined ? {} : { run };
};

async function known(
  { store, runtime }: SyncParts,
  repository: Repository,
  state: GitState,
): Promise<void> {
  if (state.commit !== undefined) await repository.git(["update-ref", FETCH_TREE, state.commit]);
  await keepGitState(store, runtime.id, state);
}

const isAncestor = async (repository: Repository, older: string, newer: string) =>
  (await repository.line(["rev-list", "--max-count=1", older, `^${newer}`])) === "";

/** Writes the differences between two trees to files that are still unchanged. @returns the number of files written */
async function applyTree(
  repository: Repository,
  { from, to }: { from: string; to: string },
  workspace: Workspace,
  files: AnnouncedFiles,
): Promise<number> {
  const raw = await repository.git(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const parts = raw.toString().split("\0");
  const changes: { path: ProjectPath; old?: string; fresh?: string }[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, , mode = "", old = "", fresh = ""] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+)/.exec(parts[index]!) ?? [];
    // Links and submodules of others are left out.
    if (mode === "120000" || mode === "160000") continue;
    const none = (id: string) => /^0+$/.test(id);
    changes.push({
      path: checkPath(parts[index + 1]!),
      old: none(old) ? undefined : old,
      fresh: none(fresh) ? undefined : fresh,
    });
  }
  const blob = async (id: string) => runGit(["cat-file", "blob", id], repository);
  const expected = async (old: string | undefined) =>
    old === undefined ? "absent" : versionOf(await blob(old));
  async function checkUnchanged(path: ProjectPath, version: string): Promise<void> {
    const current = await workspace.files.read(path).then(
      (file) => file.version,
      (error: unknown) => {
        if (error instanceof WorkspaceError && error.code === "missing") return "absent";
        throw error;
      },
    );
    if (current !== version) throw changedMeanwhile(path);
  }
  for (const { path, old } of changes) await checkUnchanged(path, await expected(old));
  for (const { path, old, fresh } of changes) {
    const ifVersion = await expected(old);
    if (fresh === undefined) await files.remove(path, () => checkUnchanged(path, ifVersion));
    else
      await files.write(path, await blob(fresh), { ifVersion }).catch((error: unknown) => {
        throw error instanceof WorkspaceError && error.code === "conflict"
          ? changedMeanwhile(path)
          : error;
      });
  }
  return changes.length;
}

const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

const changedMeanwhile = (path: string) =>
  new ApiFailure(
    409,
    "changed",
    `${path} was changed during the pull. What you wrote is kept; pull again.`,
  );
