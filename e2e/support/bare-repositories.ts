import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Nothing of the machine's or the person's settings. */
export const GIT_ENV = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Other",
  GIT_AUTHOR_EMAIL: "other@example.com",
  GIT_COMMITTER_NAME: "Other",
  GIT_COMMITTER_EMAIL: "other@example.com",
};

export interface BareRepositories {
  /** Makes one, with a first commit of these files on `main`. */
  create(name: string, files?: Record<string, string>): void;
  /** Commits to it as somebody else does. @param files `null`: the file goes */
  commit(name: string, files: Record<string, string | null>, message?: string): void;
  /** What git prints, asked in the repository. */
  git(name: string, ...words: string[]): string;
}

/** Bare repositories in a folder, for a server to give out. */
export function bareRepositories(root: string): BareRepositories {
  const run = (words: string[], cwd = root) =>
    execFileSync("git", words, { cwd, env: { ...GIT_ENV, HOME: root }, encoding: "utf8" }).trim();

  function create(name: string, files?: Record<string, string>): void {
    const bare = join(root, `${name}.git`);
    run(["init", "-q", "--bare", "-b", "main", bare]);
    run(["config", "http.receivepack", "true"], bare);
    if (files) commit(name, files, "First");
  }

  function commit(
    name: string,
    files: Record<string, string | null>,
    message = "By another",
  ): void {
    const work = mkdtempSync(join(root, "work-"));
    run(["clone", "-q", join(root, `${name}.git`), work]);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      if (text === null) rmSync(join(work, path));
      else writeFileSync(join(work, path), text);
    }
    run(["add", "-A", "-f"], work);
    run(["commit", "-q", "-m", message], work);
    run(["push", "-q", "origin", "HEAD:main"], work);
    rmSync(work, { recursive: true });
  }

  return { create, commit, git: (name, ...words) => run(words, join(root, `${name}.git`)) };
}
