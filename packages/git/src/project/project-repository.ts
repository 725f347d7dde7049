import { join } from "node:path";
import { checkpointTrees, keepCheckpoint } from "@treadle/workspace";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { readGitAddress } from "../address.ts";
import { saveLocal } from "../branches.ts";
import { type GitState, keepGitState, readGitState } from "../git-state.ts";
import { type Commits, makeCommits, takeObjects } from "../make-commits.ts";
import { openRepository, type Repository } from "../repository.ts";
import type { Remote } from "../run-git.ts";
import { gatherTurns, type Turn } from "../turns.ts";
import type { SyncParts } from "./git-project.ts";

/** Number of log entries read at a time. */
const PAGE = 500;
/** Protects the project's newest commit from garbage collection. */
const KNOWN = "refs/treadle/known";

/** A project's repository: its state, Treadle's clone, and the server. */
export interface Place {
  state: GitState;
  repository: Repository;
  remote: Remote;
}

/** Opens a project's repository. @throws ApiFailure `git-none` if it has none */
export async function openPlace({ store, logins, runtime, folder }: SyncParts): Promise<Place> {
  const state = await readGitState(store, runtime.id);
  if (!state) throw new ApiFailure(409, "git-none", sentence("git-none"));
  const remote = await logins.remoteOf(readGitAddress(state.url), state.local);
  return { state, remote, repository: await openRepository(join(folder, "remote.git")) };
}

/** The turns of the project after a run, in order; all if the run is undefined or unknown. */
export async function turnsAfter(
  { store, runtime }: Pick<SyncParts, "store" | "runtime">,
  run: string | undefined,
): Promise<Turn[]> {
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

/** The turns without a commit. */
export const newTurns = (parts: SyncParts, { run }: GitState) => turnsAfter(parts, run);

/** Commits new turns on top of the branch. Does not save the state. */
export async function commitNow(
  { runtime, folder, signal }: SyncParts,
  { state, repository }: Place,
  turns: readonly Turn[],
  squash = false,
): Promise<Commits> {
  const { checkpoint } = await keepCheckpoint(runtime, await runtime.workspace(), "For git");
  const checkpoints = checkpointTrees(join(folder, "state"));
  return makeCommits(repository, { state, checkpoints, turns, now: checkpoint, squash, signal });
}

/** The run of the last of these turns, as a field of the state; no field if there are none. */
export const lastRun = (turns: readonly Turn[]) => {
  const run = turns.at(-1)?.run;
  return run === undefined ? {} : { run };
};

/** Saves the state, and its commit as the newest of the local branch. */
export async function savePlace(
  { store, runtime }: SyncParts,
  repository: Repository,
  state: GitState,
): Promise<void> {
  if (state.commit !== undefined) {
    await repository.git(["update-ref", KNOWN, state.commit]);
    await saveLocal(repository, state.branch, state.commit);
  }
  await keepGitState(store, runtime.id, state);
}

/**
 * Makes a checkpoint of files that came from the branch, which is the base of the next commits.
 * @returns its tree; undefined if the checkpoint has none
 */
export async function keepBase(
  { runtime, folder }: SyncParts,
  repository: Repository,
  label: Sentence,
): Promise<string | undefined> {
  const { checkpoint } = await keepCheckpoint(runtime, await runtime.workspace(), label);
  const checkpoints = checkpointTrees(join(folder, "state"));
  const tree = checkpoints.trees.get(checkpoint);
  if (tree !== undefined) await takeObjects(repository, checkpoints, [tree]);
  return tree;
}

/** Whether one commit is an ancestor of another, or the same. */
export const isAncestor = async (repository: Repository, older: string, newer: string) =>
  (await repository.line(["rev-list", "--max-count=1", older, `^${newer}`])) === "";
