import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { takeObjects } from "@treadle/git";
import type { Repository } from "@treadle/git";
import type { ReleaseToSend } from "./target.ts";

/** Text files by name. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Writes a release's files as a tree into one of Treadle's repositories.
 * @param added returns further files from the release's names and texts; those that the release has are ignored
 * @returns the hash of the tree
 */
export async function releaseTree(
  repository: Repository,
  release: ReleaseToSend,
  added: (names: ReadonlySet<string>, read: (path: string) => Promise<string>) => Promise<Texts>,
): Promise<string> {
  const env = { GIT_INDEX_FILE: `${repository.gitDirectory}/treadle-release-index` };
  await repository.git(["read-tree", "--empty"], { env });
  const put = (lines: string[]) =>
    repository.git(["update-index", "-z", "--index-info"], { env, input: lines.join("") });
  if (release.kind === "app") {
    await takeObjects(repository, release.sources, [release.sources.tree]);
    await repository.git(["read-tree", release.sources.tree], { env });
  } else await put(await siteLines(repository, release.folder));
  const names = (await repository.git(["ls-files", "-z"], { env })).toString().split("\0");
  const there = new Set(names);
  const read = async (path: string) =>
    (await repository.git(["cat-file", "blob", `:${path}`], { env })).toString();
  const lines: string[] = [];
  for (const [path, text] of Object.entries(await added(there, read))) {
    if (there.has(path)) continue;
    const hash = await repository.line(["hash-object", "-w", "--stdin"], { input: text });
    lines.push(`100644 ${hash}\t${path}\0`);
  }
  await put(lines);
  return repository.line(["write-tree"], { env });
}

async function siteLines(repository: Repository, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const odd = files.find((file) => file.includes("\n"));
  if (odd !== undefined) throw new ApiFailure(422, "odd-name", sentence("sent-file-name"));
  const hashes = await repository.line(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
    input: files.map((file) => `${file}\n`).join(""),
  });
  const names = files.map((file) => relative(folder, file).split(sep).join("/"));
  return hashes.split("\n").map((hash, index) => `100644 ${hash}\t${names[index]}\0`);
}
