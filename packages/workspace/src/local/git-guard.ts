import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bind } from "./sandbox-command.ts";

/** What a repository that was made inside is called once the folder is the person's again. */
const SET_ASIDE = ".git-made-in-sandbox";

/**
 * A person's repository is never touched: git runs what a repository's hooks and configuration name, as whoever calls it,
 * so that a writable `.git` would be a way out of the sandbox.
 * What is there is seen inside read-only. A link is not followed and not shown: the model may have planted it.
 */
export function gitBinds(directory: string): Bind[] {
  const source = join(directory, ".git");
  const stat = lstatSync(source, { throwIfNoEntry: false });
  if (!stat?.isDirectory() && !stat?.isFile()) return [];
  return [{ source, target: "/home/project/.git" }];
}

/**
 * Remembers whether the person's folder had a repository before generated code first ran in it.
 * @returns what to do when the folder is handed back: a repository made inside is set aside under a name that git ignores.
 */
export function guardRepository(directory: string, stateDirectory: string): () => void {
  const git = join(directory, ".git");
  const record = join(stateDirectory, "had-repository");
  const there = () => lstatSync(git, { throwIfNoEntry: false }) !== undefined;
  if (!existsSync(record)) writeFileSync(record, there() ? "yes" : "no");
  return () => {
    const had = readFileSync(record, "utf8") === "yes";
    rmSync(record);
    if (had || !there()) return;
    const aside = join(directory, SET_ASIDE);
    rmSync(aside, { recursive: true, force: true });
    renameSync(git, aside);
  };
}
