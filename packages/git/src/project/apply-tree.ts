import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Repository } from "../repository.ts";
import { runGit } from "../run-git.ts";
import { checkPath, WorkspaceError, type Workspace } from "@treadle/workspace";
import type { GitProject } from "./git-project.ts";

/**
 * Writes the differences between two trees to files that are still unchanged.
 * @param trees.own the tree of the project's own files; if given, a file that is not in it and exists stays as it is, such as
 * `.env` and build output
 * @returns the number of files written or removed
 * @throws ApiFailure 409 `changed` if a file was changed meanwhile
 */
export async function applyTree(
  repository: Repository,
  { from, to, own }: { from: string; to: string; own?: string },
  workspace: Workspace,
  files: Awaited<ReturnType<GitProject["clientFiles"]>>,
): Promise<number> {
  const raw = await repository.git(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const parts = raw.toString().split("\0");
  const changes: { path: ProjectPath; old?: string; fresh?: string }[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, , mode = "", old = "", fresh = ""] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+)/.exec(parts[index]!) ?? [];
    // Foreign links and submodules are skipped.
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
  const currentVersion = async (path: ProjectPath) =>
    workspace.files.read(path).then(
      (file) => file.version,
      (error: unknown) => {
        if (error instanceof WorkspaceError && error.code === "missing") return "absent";
        throw error;
      },
    );
  async function checkUnchanged(path: ProjectPath, version: string): Promise<void> {
    if ((await currentVersion(path)) !== version) throw changedMeanwhile(path);
  }
  if (own !== undefined) {
    const owned = new Set(await pathsOf(repository, own));
    for (const change of changes.splice(0))
      if (
        owned.has(change.path) ||
        (change.old === undefined && (await currentVersion(change.path)) === "absent")
      )
        changes.push(change);
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

/** The paths of the files in a tree. */
const pathsOf = async (repository: Repository, tree: string) =>
  (await repository.git(["ls-tree", "-r", "-z", "--name-only", tree])).toString().split("\0");

const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

const changedMeanwhile = (path: string) =>
  new ApiFailure(409, "changed", sentence("git-pull-changed", { path }));
