import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { checkBranch, fetchBranch, type Repository } from "./repository.ts";
import type { Remote } from "./run-git.ts";

/** Maximum number of listed branches and commits. */
const BRANCHES = 500;
const COMMITS = 30;

/** Refs of the local branches, and of the last known state of the server's. */
const LOCAL = "refs/heads/";
const SEEN = "refs/remotes/origin/";

/** Fields of a commit in the format of `git log`, and the end of a record. */
const FORMAT = "%H%x1f%s%x1f%an%x1f%at%x1f%(trailers:key=Treadle-Verdict,valueonly,separator=%x20)%x1e"; // prettier-ignore

/** A commit in a list. Its texts come from whoever pushed it. */
export interface ListedCommit {
  id: string;
  subject: string;
  author: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The value of its `Treadle-Verdict` trailer; undefined without one. */
  verdict?: string | undefined;
  /** Whether it is on both sides, or only on one. */
  side: "both" | "here" | "there";
}

/** Lists the branches of a server with their commits, in one request. */
export async function listRemoteBranches(
  repository: Repository,
  remote: Remote,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const words = ["ls-remote", "--heads", "--", remote.address.url];
  return readRefs(await repository.line(words, { remote, signal }), "refs/heads/");
}

/** The local branches with their commits. */
export async function listLocalBranches(repository: Repository): Promise<Map<string, string>> {
  const words = ["for-each-ref", "--format=%(objectname)%09%(refname)", LOCAL];
  return readRefs(await repository.line(words), LOCAL);
}

function readRefs(lines: string, prefix: string): Map<string, string> {
  const branches = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const [, commit, ref = ""] = /^([0-9a-f]{40})\t(\S+)$/.exec(line) ?? [];
    if (commit !== undefined && ref.startsWith(prefix) && branches.size < BRANCHES)
      branches.set(ref.slice(prefix.length), commit);
  }
  return branches;
}

/** Records the newest local commit of a branch. */
export const saveLocal = (repository: Repository, branch: string, commit: string) =>
  repository.git(["update-ref", LOCAL + checkBranch(branch), commit]);

/** Records the newest commit of a branch on the server. */
export const saveSeen = (repository: Repository, branch: string, commit: string) =>
  repository.git(["update-ref", SEEN + checkBranch(branch), commit]);

/** Whether any branch of the server is known. */
const hasSeen = async (repository: Repository) =>
  (await repository.line(["for-each-ref", "--count=1", "--format=%(refname)", SEEN])) !== "";

/** Fetches a branch and records it as seen. @returns its newest commit */
export async function fetchSeen(
  repository: Repository,
  remote: Remote,
  branch: string,
  signal?: AbortSignal,
): Promise<string> {
  const commit = await fetchBranch(repository, remote, branch, { signal });
  await saveSeen(repository, branch, commit);
  return commit;
}

/**
 * Commits that no known branch of the server contains; newest first, at most 1,000.
 * @param before the newest commit before these, which counts as pushed if no branch is known yet
 */
export async function listUnseen(
  repository: Repository,
  head: string,
  before: string | undefined,
): Promise<ListedCommit[]> {
  const known = before === undefined || (await hasSeen(repository)) ? [] : [before];
  const words = ["log", "-1000", `--format=${FORMAT}`, head, "--not", "--remotes=origin", ...known];
  return readCommits(await repository.git(words), () => "here");
}

/**
 * Compares a local branch with the same branch on the server.
 * @param theirs undefined if the server has no such branch
 */
export async function compareSides(
  repository: Repository,
  head: string | undefined,
  theirs: string | undefined,
): Promise<{ ahead: number; behind: number; commits: ListedCommit[] }> {
  const tips = [head, theirs].filter((commit) => commit !== undefined);
  if (tips.length === 0) return { ahead: 0, behind: 0, commits: [] };
  const list = async (tip: string | undefined, others: readonly string[]) => {
    if (tip === undefined) return new Set<string>();
    const listed = await repository.line(["rev-list", tip, "--not", ...others]);
    return new Set(listed.split("\n").filter(Boolean));
  };
  const here = await list(head, [theirs ?? "--remotes=origin"]);
  const there = await list(theirs, head === undefined ? [] : [head]);
  const log = await repository.git(["log", `-${COMMITS}`, `--format=${FORMAT}`, ...tips]);
  const commits = readCommits(log, (id) => (here.has(id) ? "here" : there.has(id) ? "there" : "both")); // prettier-ignore
  return { ahead: here.size, behind: there.size, commits };
}

function readCommits(log: Buffer, sideOf: (id: string) => ListedCommit["side"]): ListedCommit[] {
  return log
    .toString()
    .split("\x1e")
    .map((record) => record.replace(/^\n/, "").split("\x1f"))
    .filter(([id = ""]) => /^[0-9a-f]{40}$/.test(id))
    .map(([id = "", subject = "", author = "", seconds = "", verdict = ""]) => ({
      id,
      subject: subject.slice(0, 200),
      author: author.slice(0, 100),
      at: Number(seconds) * 1000,
      verdict: verdict.trim() || undefined,
      side: sideOf(id),
    }));
}

/** Returns a new branch's name. @throws ApiFailure `git-branch-taken`, or `git-branch` if it is invalid */
export function checkFree(name: string, ...taken: ReadonlyMap<string, string>[]): string {
  if (taken.some((branches) => branches.has(name)))
    throw new ApiFailure(409, "git-branch-taken", sentence("git-branch-taken", { branch: name }));
  return checkBranch(name);
}
