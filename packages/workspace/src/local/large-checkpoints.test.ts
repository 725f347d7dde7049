import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitSandbox } from "./git-sandbox.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { createCheckpoints } from "../checkpoints/checkpoints.ts";
import { createGitStore, PIECE } from "../checkpoints/git-store.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-large-"));
const [directory, stateDirectory] = [join(folder, "files"), join(folder, "state")];
const gitDirectory = join(stateDirectory, "git");
beforeAll(() => [directory, gitDirectory].map((each) => mkdirSync(each, { recursive: true })));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes of each answer that was held as a whole. */
const held: number[] = [];
const sandbox = createGitSandbox({ directory, gitDirectory, uid: 0, plain: true });
const git = createGitStore({
  gitDirectory,
  async run(script, input) {
    const answer = await sandbox(script, input);
    held.push(answer.output.length);
    return answer;
  },
});

/** Files of zeros, with holes instead of bytes on the disk: they cost whoever makes them nothing. */
function put(files: Record<string, number | string>): ManifestEntry[] {
  return Object.entries(files).map(([name, content]) => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === "string" ? content : "");
    if (typeof content === "number") truncateSync(path, content);
    const hash = execFileSync("git", ["hash-object", "--no-filters", path]).toString().trim();
    return { path: toProjectPath(name), mode: "100644", hash };
  });
}

it("A72 going back to large files, or to very much of small ones, holds a bounded part of it at a time", async () => {
  const sizes = { "a.bin": 2 * PIECE + 7, "b.bin": PIECE, "c.bin": PIECE / 2, "d.bin": PIECE - 1 };
  let manifest = put({ ...sizes, "e.txt": "e\n", "f.txt": "f\n" });
  const written = new Map<ProjectPath, { size: number; hash: string }>();
  const checkpoints = createCheckpoints({
    stateDirectory,
    git,
    manifest: async () => manifest,
    data: async () => new Set(),
    async write(path, content) {
      const hash = createHash("sha1");
      let size = 0;
      for await (const piece of content instanceof Uint8Array ? [content] : content) {
        hash.update(piece);
        size += piece.length;
      }
      written.set(path, { size, hash: hash.digest("hex") });
    },
    remove: async () => {},
    link: async () => {},
    prune: async () => {},
  });
  const { checkpoint } = await checkpoints.keep("large");
  manifest = [];
  held.length = 0;
  await checkpoints.restore(checkpoint);
  // Git says a line with each.
  expect(Math.max(...held)).toBeLessThan(PIECE + 1024);
  const zeros = (size: number) => {
    const hash = createHash("sha1");
    for (let left = size; left > 0; left -= PIECE) hash.update(Buffer.alloc(Math.min(left, PIECE)));
    return { size, hash: hash.digest("hex") };
  };
  const expected = Object.entries(sizes).map(([path, size]) => [path, zeros(size)]);
  expect([...written].filter(([path]) => path.endsWith(".bin"))).toEqual(expected);
  expect(written.get(toProjectPath("f.txt"))?.size).toBe(2);
});

it("A72 a large file is not compared line by line", async () => {
  const lines = (last: string) => "x\n".repeat(3_000_000) + last;
  const [before, after] = ["a", "b"].map((last) => put({ "long.txt": lines(last) }));
  // The first has been written over by now.
  const second = await git.storeTree(after!);
  put({ "long.txt": lines("a") });
  const first = await git.storeTree(before!);
  expect(await git.diff(first, second)).toMatchObject([
    { path: "long.txt", kind: "changed", binary: true, diff: "" },
  ]);
});

it("A72 a file that became a pipe is not waited for without end", async () => {
  const pipe = join(directory, "pipe");
  execFileSync("sh", ["-c", `mkfifo "$0"`, pipe]);
  const brief = createGitSandbox({ directory, gitDirectory, uid: 0, plain: true, ms: 200 });
  const answer = await brief("git hash-object -w --no-filters --stdin-paths", `${pipe}\n`);
  expect(answer).toMatchObject({ complaint: "git did not end in time" });
  expect(answer.code).not.toBe(0);
});

it("of more than is told at once it is told which files differ, and nothing of one that was cut", async () => {
  const long = (letter: string) => `${letter.repeat(99)}\n`.repeat(9_000);
  const from = await git.storeTree(put({ "1.txt": "one\n", "gone.txt": "gone\n" }));
  const added = Object.fromEntries([..."abcd"].map((each) => [`${each}.txt`, long(each)]));
  const to = await git.storeTree(put({ "1.txt": "two\n", ...added }));
  const found = await git.diff(from, to);
  expect(found.map(({ path, kind, cut }) => [path, kind, cut ?? false])).toEqual([
    ["1.txt", "changed", false],
    ["a.txt", "added", false],
    ["b.txt", "added", false],
    ["c.txt", "added", true],
    ["d.txt", "added", true],
    ["gone.txt", "removed", true],
  ]);
  for (const { diff, cut } of found) expect(diff === "").toBe(cut ?? false);
});

it("what a checkpoint is made of is on the disk when it is told (F7)", async () => {
  const [trace, synced] = [join(folder, "trace"), join(folder, "synced")];
  const traced = createGitStore({
    gitDirectory,
    run: (script, input) =>
      sandbox(
        `export GIT_TRACE2_EVENT=${trace}\nsync() { printf '%s\\n' "$@" >> ${synced}; command sync "$@"; }\n${script}`,
        input,
      ),
  });
  const root = await traced.storeTree(put({ "s1.txt": "1\n", "s2.txt": "2\n" }));
  const flushed = /"fsync\/hardware-flush","value":"?(\d+)/.exec(readFileSync(trace, "utf8"));
  expect(flushed?.[1]).toBe("2");
  expect(readFileSync(synced, "utf8").trim()).toBe(`${root.slice(0, 2)}/${root.slice(2)}`);
});
