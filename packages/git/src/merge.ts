import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Repository } from "./repository.ts";

/** Maximum size in bytes of texts that are shown side by side; of longer ones, one has to be chosen. */
const SHOWN = 1024 * 1024;

/**
 * Maximum number of reported conflicts: whoever pushes can create any number, and people cannot
 * resolve more by hand.
 */
export const CONFLICTS = 200;

/** A file that both sides changed. */
export interface Conflict {
  path: string;
  /** Absent: the file does not exist on that side. */
  base?: string;
  ours?: string;
  theirs?: string;
  /** Both versions with conflict markers; absent if they are binary, or one does not exist. */
  merged?: string;
  /** At least one version is binary, or too long to be shown. */
  binary: boolean;
}

/** The person's resolution of a conflict: a text of their own, or one side unchanged. */
export type Resolution = { text: string } | { take: "ours" | "theirs" };

/**
 * Merges two commits without touching a file.
 * @returns the tree, if there are no conflicts or all are resolved; otherwise the conflicts
 */
export async function mergeCommits(
  repository: Repository,
  [ours, theirs]: [string, string],
  resolutions: Readonly<Record<string, Resolution>>,
): Promise<{ tree: string } | { conflicts: Conflict[] }> {
  const words = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories", ours, theirs]; // prettier-ignore
  const fields = (await repository.git(words, { codes: [0, 1] })).toString().split("\0");
  const [tree = "", ...rest] = fields;
  if (!/^[0-9a-f]{40}$/.test(tree))
    throw new ApiFailure(501, "git-old", sentence("git-old", { version: "2.39" }));
  const paths = [...new Set(rest.filter(Boolean))];
  const open = paths.filter((path) => !Object.hasOwn(resolutions, path));
  if (paths.length > CONFLICTS)
    throw new ApiFailure(
      409,
      "git-conflicts",
      sentence("git-conflicts", { count: paths.length, limit: CONFLICTS }),
    );
  if (open.length > 0) {
    const conflicts: Conflict[] = [];
    // Sequentially: each takes several git commands.
    for (const path of paths)
      conflicts.push(await conflictOf(repository, { ours, theirs, tree }, path));
    return { conflicts };
  }
  if (paths.length === 0) return { tree };
  const env = { GIT_INDEX_FILE: `${repository.gitDirectory}/treadle-merge` };
  await repository.git(["read-tree", tree], { env });
  for (const path of paths) {
    const entry = await entryOf(repository, { ours, theirs }, path, resolutions[path]!);
    const input = entry ? `${entry}\t${path}\0` : `0 ${"0".repeat(40)}\t${path}\0`;
    await repository.git(["update-index", "-z", "--index-info"], { env, input });
  }
  return { tree: await repository.line(["write-tree"], { env }) };
}

async function entryOf(
  repository: Repository,
  sides: { ours: string; theirs: string },
  path: string,
  resolution: Resolution,
): Promise<string | undefined> {
  if ("text" in resolution) {
    const blob = await repository.line(["hash-object", "-w", "--stdin"], {
      input: resolution.text,
    });
    return `100644 ${blob}`;
  }
  const listed = await repository.line(["ls-tree", sides[resolution.take], "--", path]);
  const [, mode, hash] = /^(\d+) blob ([0-9a-f]{40})\t/.exec(listed) ?? [];
  return mode === undefined ? undefined : `${mode} ${hash}`;
}

async function conflictOf(
  repository: Repository,
  { ours, theirs, tree }: { ours: string; theirs: string; tree: string },
  path: string,
): Promise<Conflict> {
  const base = await repository
    .line(["merge-base", ours, theirs], { codes: [0, 1] })
    .then((commit) => (commit === "" ? undefined : textAt(repository, commit, path)));
  const [own, other, merged] = await Promise.all(
    [ours, theirs, tree].map((side) => textAt(repository, side, path)),
  );
  const binary = [base, own, other].some((side) => side === null);
  const both = typeof own === "string" && typeof other === "string";
  return {
    path,
    binary,
    base: base ?? undefined,
    ours: own ?? undefined,
    theirs: other ?? undefined,
    merged: both && !binary ? (merged ?? undefined) : undefined,
  };
}

/** A file's text in a commit; undefined if it does not exist, null if it cannot be shown as text. */
async function textAt(
  repository: Repository,
  commit: string,
  path: string,
): Promise<string | null | undefined> {
  const bytes = await repository
    .git(["cat-file", "blob", `${commit}:${path}`])
    .catch(() => undefined);
  if (bytes === undefined) return undefined;
  if (bytes.length > SHOWN || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
