import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { runGit, type GitOptions, type Progress, type Remote } from "./run-git.ts";

/** Attributes that prevent a repository's own from changing content or leaving files out. */
const ATTRIBUTES =
  "* -text -filter -ident -working-tree-encoding -export-ignore -export-subst !merge !diff\n";

/** The ref of a fetched remote branch. */
export const FETCHED = "refs/treadle/fetched";

/**
 * A project's copy of a git server's repository: bare, beside its files, and invisible to
 * everything that runs in the project.
 */
export interface Repository {
  readonly gitDirectory: string;
  git(words: readonly string[], options?: Omit<GitOptions, "gitDirectory">): Promise<Buffer>;
  /** Runs git and returns its output as text, without white space around it. */
  line(words: readonly string[], options?: Omit<GitOptions, "gitDirectory">): Promise<string>;
}

/** Opens a repository, creating it if necessary. */
export async function openRepository(gitDirectory: string): Promise<Repository> {
  const git: Repository["git"] = (words, options) => runGit(words, { ...options, gitDirectory });
  if (!existsSync(join(gitDirectory, "HEAD"))) await git(["init", "-q", "--bare", gitDirectory]);
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  writeFileSync(join(gitDirectory, "info", "attributes"), ATTRIBUTES);
  return {
    gitDirectory,
    git,
    line: async (words, options) => (await git(words, options)).toString().trim(),
  };
}

/** Returns a branch name if git accepts it. @throws ApiFailure `git-branch` if it is invalid */
export function checkBranch(name: string): string {
  // git check-ref-format(1), and nothing that reads as an option.
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  const odd = /^[-/]|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|\.lock(?:\/|$)|(?:^|\/)\./;
  if (name === "" || name.length > 200 || odd.test(name))
    throw new ApiFailure(400, "git-branch", sentence("git-branch", { name: JSON.stringify(name) }));
  return name;
}

/** The server's default branch. @throws ApiFailure `git-empty` if it has none */
export async function findBranch(
  repository: Repository,
  remote: Remote,
  signal?: AbortSignal,
): Promise<string> {
  const listed = await repository.line(
    ["ls-remote", "--symref", "--", remote.address.url, "HEAD"],
    {
      remote,
      signal,
    },
  );
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  if (branch !== undefined) return checkBranch(branch);
  throw new ApiFailure(422, "git-empty", sentence("git-empty"));
}

/**
 * Fetches one branch with its history.
 * @returns its newest commit
 */
export async function fetchBranch(
  repository: Repository,
  remote: Remote,
  branch: string,
  more: {
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: Progress) => void) | undefined;
  },
): Promise<string> {
  const spec = `+refs/heads/${checkBranch(branch)}:${FETCHED}`;
  const words = ["fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--", remote.address.url, spec]; // prettier-ignore
  await repository.git(words, { ...more, remote });
  return repository.line(["rev-parse", "--verify", `${FETCHED}^{commit}`]);
}
