import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { checkpointTrees } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import {
  checkFree,
  compareSides,
  fetchSeen,
  type ListedCommit,
  listLocalBranches,
  listRemoteBranches,
} from "../branches.ts";
import { keepGitState } from "../git-state.ts";
import { planCommits } from "../make-commits.ts";
import { checkBranch } from "../repository.ts";
import type { Turn } from "../turns.ts";
import { applyTree } from "./apply-tree.ts";
import type { SyncParts } from "./git-project.ts";
import {
  commitNow,
  isAncestor,
  keepBase,
  lastRun,
  newTurns,
  openPlace,
  type Place,
  savePlace,
} from "./project-repository.ts";

/** The tree without files. */
const EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/** Placeholder for files without a checkpoint. */
const UNSAVED = "unsaved";

/** A branch, and whether it exists in Treadle's clone and on the server. */
export interface Branch {
  name: string;
  here: boolean;
  there: boolean;
}

/** How a project's branch compares with the server. */
export interface Overview {
  branch: string;
  branches: Branch[];
  /** Number of commits that the next push adds to the server, including those it will make. */
  ahead: number;
  /** Number of commits that a pull brings. */
  behind: number;
  /** Turns that the next push will commit, newest first. */
  pending: { subject: string; verdict?: string | undefined; at?: number | undefined }[];
  commits: ListedCommit[];
}

/**
 * Fetches the server's branches, and compares the current one. Changes no file, and makes no
 * commit.
 */
export async function readOverview(parts: SyncParts): Promise<Overview> {
  const { state, repository, remote } = await openPlace(parts);
  const { branch, commit } = state;
  const there = await listRemoteBranches(repository, remote, parts.signal);
  const here = await listLocalBranches(repository);
  const theirs = there.has(branch)
    ? await fetchSeen(repository, remote, branch, parts.signal)
    : undefined;
  const pending = await pendingCommits(parts, state.tree, await newTurns(parts, state));
  const sides = await compareSides(repository, commit, theirs);
  const names = new Set([branch, ...here.keys(), ...there.keys()]);
  return {
    branch,
    branches: [...names]
      .toSorted()
      .map((name) => ({ name, here: here.has(name) || name === branch, there: there.has(name) })),
    ...sides,
    ahead: sides.ahead + pending.length,
    pending,
  };
}

async function pendingCommits(
  { runtime, folder }: SyncParts,
  before: string | undefined,
  turns: readonly Turn[],
): Promise<Overview["pending"]> {
  const { trees } = checkpointTrees(join(folder, "state"));
  const revision = await (await runtime.workspace()).revision();
  const current = runtime.view.checkpoints.findLast((one) => one.revision === revision);
  const now = trees.get(current?.checkpoint ?? "") ?? UNSAVED;
  return planCommits(turns, { trees, before, now })
    .map((planned) => planned.turns.at(-1))
    .map((turn) => ({
      subject: turn?.asked.slice(0, 200) ?? "",
      verdict: turn?.verdict,
      at: turn?.at,
    })) // prettier-ignore
    .toReversed();
}

/**
 * Creates a branch at the current state, and switches to it. Unpushed turns become its commits; the
 * old branch ends at its last commit. No file changes.
 * @throws ApiFailure `git-branch-taken`
 */
export async function createBranch(parts: SyncParts, name: string): Promise<void> {
  const { state, repository, remote } = await openPlace(parts);
  const there = await listRemoteBranches(repository, remote, parts.signal);
  const here = await listLocalBranches(repository);
  checkFree(name, there, here, new Map([[state.branch, ""]]));
  if (state.commit !== undefined) await savePlace(parts, repository, state);
  await keepGitState(parts.store, parts.runtime.id, {
    ...state,
    branch: name,
    begun: { ...state.begun, [name]: { base: state.branch, run: state.run } },
  });
}

/**
 * Switches to another branch: new work is committed to the current one, and the files become those
 * of the other. Files outside of checkpoints (`.env`, build output) are kept. Both states get a
 * checkpoint.
 * @throws ApiFailure `working` while a turn is active, `git-not-found`, `changed` if a file is
 * edited meanwhile
 */
export async function switchBranch(parts: SyncParts, name: string): Promise<{ files: number }> {
  if (parts.runtime.isWorking()) throw new ApiFailure(409, "working", sentence("git-working"));
  const place = await openPlace(parts);
  const { repository, remote } = place;
  const there = await listRemoteBranches(repository, remote, parts.signal);
  const here = (await listLocalBranches(repository)).get(checkBranch(name));
  if (here === undefined && !there.has(name))
    throw new ApiFailure(404, "git-not-found", sentence("git-branch-missing", { branch: name }));
  const theirs = there.has(name)
    ? await fetchSeen(repository, remote, name, parts.signal)
    : undefined;
  if (name === place.state.branch) return { files: 0 };
  // A turn may have begun during the request.
  return parts.runtime.alone(async () => {
    const isBehind =
      theirs !== undefined && (here === undefined || (await isAncestor(repository, here, theirs)));
    return moveTo(parts, place, name, isBehind ? theirs : here!);
  });
}

async function moveTo(
  parts: SyncParts,
  place: Place,
  branch: string,
  target: string,
): Promise<{ files: number }> {
  const { repository } = place;
  const turns = await newTurns(parts, place.state);
  const { head, tree: own } = await commitNow(parts, place, turns);
  const left = { ...place.state, commit: head, tree: own, ...lastRun(turns) };
  await savePlace(parts, repository, left);
  const treeOf = async (commit: string) => repository.line(["rev-parse", `${commit}^{tree}`]);
  const from = head === undefined ? EMPTY : await treeOf(head);
  const workspace = await parts.runtime.workspace();
  const trees = { from, to: await treeOf(target), own };
  // Others may have written these files, so nobody has accepted them yet (A32).
  const files = await applyTree(repository, trees, workspace, await parts.runtime.clientFiles());
  const label = sentence("switched-to", { branch });
  const tree = await keepBase(parts, repository, label);
  await savePlace(parts, repository, {
    ...left,
    branch,
    commit: target,
    tree,
    begun: { ...left.begun, [branch]: left.begun?.[branch] ?? { run: left.run } },
  });
  return { files };
}
