import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import type { FileDifference } from "@treadle/server";
import { readProjectPath } from "@treadle/protocol/project-path";

/** Maximum number of files compared line by line, and bytes of each; others are left out. */
const FILES = 400;
const FILE_BYTES = 1024 * 1024;
/** Maximum size of a git command's output, in bytes. */
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** The comparison failed; `message` is for people. */
export class SinceError extends Error {
  override readonly name = "SinceError";
}

/**
 * The differences between a commit and a folder's current files, without those that git ignores. Runs no program that
 * the folder's git settings name, because the project may come from anyone.
 * @param directory in a git repository, its root or a folder of it
 * @param ref a branch, a tag or a commit
 * @throws SinceError if there is no repository or no such commit
 */
export async function changesSince(directory: string, ref: string): Promise<FileDifference[]> {
  const named = await git(directory, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${ref}^{commit}`,
  ]).catch(() => undefined);
  if (!named)
    throw new SinceError(`There is no commit ${ref} in a git repository at ${directory}.`);
  const commit = named.toString("utf8").trim();
  const [tree, listed] = await Promise.all([
    git(directory, ["ls-tree", "-r", "-z", commit, "."]),
    git(directory, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "."]),
  ]);
  const before = new Map<string, string>();
  for (const entry of tree.toString("utf8").split("\0")) {
    const [, id, path] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (id !== undefined && path !== undefined) before.set(path, id);
  }
  const differing: { path: string; id: string | undefined; now: Buffer }[] = [];
  for (const path of new Set(listed.toString("utf8").split("\0"))) {
    const now = contentOf(join(directory, path));
    if (!now || differing.length >= FILES || !readProjectPath(path).ok) continue;
    const id = before.get(path);
    if (id !== blobId(now, id)) differing.push({ path, id, now });
  }
  return compared(directory, differing);
}

async function compared(
  directory: string,
  files: readonly { path: string; id: string | undefined; now: Buffer }[],
): Promise<FileDifference[]> {
  const scratch = mkdtempSync(join(tmpdir(), "treadle-since-"));
  const changes: FileDifference[] = [];
  try {
    for (const side of ["a", "b"]) mkdirSync(join(scratch, side));
    for (const { path, id, now } of files) {
      const read = readProjectPath(path);
      if (!read.ok) continue;
      const old = id === undefined ? "" : await git(directory, ["cat-file", "blob", id]);
      writeFileSync(join(scratch, "a/file"), withLineFeeds(old));
      writeFileSync(join(scratch, "b/file"), withLineFeeds(now));
      const words = [
        "diff",
        "--no-index",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "-U0",
        "a/file",
        "b/file",
      ];
      const text = (await git(scratch, words, [0, 1])).toString("utf8");
      const diff = text.slice(Math.max(0, text.indexOf("\n@@") + 1));
      const binary = !diff.startsWith("@@");
      if (text === "") continue;
      const kind = id === undefined ? "added" : "changed";
      changes.push({ path: read.path, kind, binary, diff: binary ? "" : diff });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return changes;
}

/** Converts line endings to LF: which ones a file has depends on git, and executed code is compared by lines. */
const withLineFeeds = (content: Buffer | string) =>
  Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");

function contentOf(file: string): Buffer | undefined {
  const there = lstatSync(file, { throwIfNoEntry: false });
  return there?.isFile() && there.size <= FILE_BYTES ? readFileSync(file) : undefined;
}

/** Git's id for a file, with the repository's hash function. */
const blobId = (content: Buffer, like = "") =>
  createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex");

/**
 * Runs git without the machine's settings, and without those of the repository that run programs.
 */
function git(
  cwd: string,
  words: readonly string[],
  codes: readonly number[] = [0],
): Promise<Buffer> {
  const settings = {
    "core.fsmonitor": "false",
    "core.hooksPath": devNull,
    "safe.directory": "*",
    "protocol.allow": "never",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const env = {
    PATH: process.env["PATH"],
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
  return new Promise((resolve, reject) => {
    const options = { cwd, env, encoding: "buffer" as const, maxBuffer: OUTPUT_BYTES };
    execFile("git", ["--no-pager", ...args, ...words], options, (error, out) => {
      if (!error || codes.includes(Number(error.code))) resolve(out);
      else reject(error);
    });
  });
}
