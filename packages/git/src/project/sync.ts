import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { fetchSeen, listUnseen, saveSeen } from "../branches.ts";
import { type Conflict, mergeCommits, type Resolution } from "../merge.ts";
import { applyTree } from "./apply-tree.ts";
import { reportVerdicts, type ReportedVerdicts } from "./report-verdicts.ts";
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

export type Pulled =
  | { state: "current" }
  | { state: "pulled"; files: number }
  | { state: "conflicts"; conflicts: Conflict[]; seen: string };

/**
 * The person's resolutions of conflicts, with the versions to which they apply (`seen`, as sent
 * with the conflicts).
 */
interface Settled {
  resolutions: Readonly<Record<string, Resolution>>;
  seen?: string | undefined;
}

/** The result of a push. */
export interface Pushed {
  /** Number of commits that the server did not have. */
  pushed: number;
  commit: string | undefined;
  /**
   * The result of setting statuses; undefined if the server has no API for them, or nobody is
   * signed in.
   */
  statuses?: ReportedVerdicts | undefined;
}

/**
 * Pushes the project to its branch, with a commit for each turn since the last time, or one for
 * all. Never overwrites commits of others.
 * @throws ApiFailure `git-moved` if the branch has newer commits; nothing is changed then
 */
export async function push(parts: SyncParts, options: { squash: boolean }): Promise<Pushed> {
  const place = await openPlace(parts);
  const { state, repository, remote } = place;
  const turns = await newTurns(parts, state);
  const { head, tree } = await commitNow(parts, place, turns, options.squash);
  if (head === undefined) throw new ApiFailure(409, "git-nothing", sentence("git-nothing"));
  const unseen = await listUnseen(repository, head, state.commit);
  const spec = `${head}:refs/heads/${state.branch}`;
  await repository.git(["push", "--porcelain", "--no-verify", "--", remote.address.url, spec], {
    remote,
    signal: parts.signal,
  });
  await saveSeen(repository, state.branch, head);
  await savePlace(parts, repository, { ...state, commit: head, tree, ...lastRun(turns) });
  const statuses = await reportVerdicts(parts, place, unseen);
  return { pushed: unseen.length, commit: head, statuses };
}

/**
 * Merges commits of others into the project's files. Nothing changes while a conflict is
 * unresolved. A resolution of outdated versions is ignored.
 * @throws ApiFailure `working` while a turn is active, `changed` if a file is edited meanwhile
 */
export async function pull(parts: SyncParts, { resolutions, seen }: Settled): Promise<Pulled> {
  if (parts.runtime.isWorking()) throw new ApiFailure(409, "working", sentence("working"));
  const place = await openPlace(parts);
  const { state, repository, remote } = place;
  const theirs = await fetchSeen(repository, remote, state.branch, parts.signal);
  // A turn may have begun during the request.
  return parts.runtime.alone(() => bringIn(parts, place, theirs, { resolutions, seen }));
}

/** Applies a commit of others to the files. Nothing else may be working on them. */
async function bringIn(
  parts: SyncParts,
  place: Place,
  theirs: string,
  { resolutions, seen }: Settled,
): Promise<Pulled> {
  const { state, repository } = place;
  const turns = await newTurns(parts, state);
  const ours = await commitNow(parts, place, turns);
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
    // Nobody has accepted what others wrote (A32).
    await parts.runtime.clientFiles(),
  );
  const label = sentence("pulled-from", { branch: state.branch });
  const tree = await keepBase(parts, repository, label);
  await savePlace(parts, repository, {
    ...state,
    commit,
    ...(tree === undefined ? {} : { tree }),
    ...lastRun(turns),
  });
  return { state: "pulled", files };
}
