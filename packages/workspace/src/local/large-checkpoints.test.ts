import { createHash } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGitSandbox } from "./git-sandbox.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { createCheckpoints } from "../checkpoints/checkpoints.ts";
import { createGitStore, PIECE } from "../checkpoints/git-store.ts";

// There is no other way to observe a sync of the disk.
vi.mock("node:fs", { spy: true });

const folder = mkdtempSync(join(tmpdir(), "treadle-large-"));
const [directory, stateDirectory] = [join(folder, "files"), join(folder, "state")];
const gitDirectory = join(stateDirectory, "git");
beforeAll(() => [directory, gitDirectory].map((each) => mkdirSync(each, { recursive: true })));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sizes of the responses that were buffered as a whole, in bytes. */
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

/** Sparse files of zeros, which cost almost nothing to create. */
function put(files: Record<string, number | string>): ManifestEntry[] {
  return Object.entries(files).map(([name, content]) => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : "");
    if (typeof content === "number") truncateSync(path, content);
    const hash = execFileSync("git", ["hash-object", "--no-filters", path]).toString().trim();
    return { path: toProjectPath(name), mode: "100644", hash };
  });
}

it("A72 restores large files, or very many small ones, with bounded memory", async () => {
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
  // Git adds a line to each.
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

it("A72 does not compare a large file line by line", async () => {
  const lines = (last: string) => "x\n".repeat(3_000_000) + last;
  const [before, after] = ["a", "b"].map((last) => put({ "long.txt": lines(last) }));
  // The first version has been overwritten by now.
  const second = await git.storeTree(after!);
  put({ "long.txt": lines("a") });
  const first = await git.storeTree(before!);
  expect(await git.diff(first, second)).toMatchObject([
    { path: "long.txt", kind: "changed", binary: true, diff: "" },
  ]);
});

it("A72 does not block on a file that was replaced by a pipe", async () => {
  const pipe = join(directory, "pipe");
  execFileSync("sh", ["-c", `mkfifo "$0"`, pipe]);
  const brief = createGitSandbox({ directory, gitDirectory, uid: 0, plain: true, ms: 200 });
  const answer = await brief("git hash-object -w --no-filters --stdin-paths", `${pipe}\n`);
  expect(answer).toMatchObject({ complaint: "git did not end in time" });
  expect(answer.code).not.toBe(0);
});

it("lists the names of differing files beyond the size limit of a diff, without truncated diffs", async () => {
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

it("has synced a checkpoint to the disk when it is reported (F7)", async () => {
  const synced: string[] = [];
  const scripts: string[] = [];
  const sync = vi.mocked(fs.fsync);
  sync.mockImplementation((file, done) => {
    synced.push(basename(readlinkSync(`/proc/self/fd/${file}`)).replace(/[0-9a-f]{40}/, "*"));
    done(null);
  });
  const heard = createGitStore({
    gitDirectory,
    run: (script, input) => (scripts.push(script), sandbox(script, input)),
    async read(path, limit) {
      const bytes = readFileSync(join(directory, path));
      return bytes.length > limit ? undefined : bytes;
    },
  });
  await heard.storeTree(put({ "s1.txt": "1\n", "s2.txt": "2\n" }));
  expect(synced.sort()).toEqual(["pack", "pack", "pack-*.idx.new", "pack-*.pack.new"]);
  // Few and short files need no process.
  expect(scripts).toEqual([]);
  await heard.storeTree(put({ "s3.bin": 8 * 1024 * 1024 }));
  expect(scripts).toEqual([expect.stringContaining("sync -f")]);
  sync.mockReset();
});

it("does not store a file under an old hash if it changed meanwhile", async () => {
  const torn = createGitStore({
    gitDirectory,
    run: sandbox,
    read: async () => Buffer.from("else"),
  });
  await expect(torn.storeTree(put({ "t.txt": "t\n" }))).rejects.toThrow("changed while");
  const [entry] = put({ "u.bin": 8 * 1024 * 1024 });
  put({ "u.bin": "now\n" });
  await expect(git.storeTree([entry!])).rejects.toThrow("changed while");
});

it("packs of single checkpoints are readable by git, merged, and pruned to what is still referenced", async () => {
  const own = join(folder, "packs");
  mkdirSync(own);
  const run = createGitSandbox({ directory, gitDirectory: own, uid: 0, plain: true });
  const read = async (path: string) => readFileSync(join(directory, path));
  const store = createGitStore({ gitDirectory: own, run, read });
  const trees: string[] = [];
  for (let n = 0; n < 52; n++)
    trees.push(
      await store.storeTree(put({ "a.txt": `${n}\n`, "ü/b.txt": `${n % 2}\n`.repeat(n) })),
    );
  expect(store.isScattered()).toBe(true);
  await store.keepOnly(trees.slice(30));
  expect(store.isScattered()).toBe(false);
  expect(
    readdirSync(join(own, "objects/pack")).filter((name) => name.endsWith(".pack")),
  ).toHaveLength(1);
  const files = await store.readTree(trees[30]!);
  expect(files.map(({ path }) => path).sort()).toEqual(["a.txt", "ü/b.txt"]);
  expect((await store.readBlobs(files.map(({ hash }) => hash))).map(String)).toContain("30\n");
  await expect(store.readTree(trees[29]!)).rejects.toThrow();
  // Pruned content is stored again if it reappears, by this store and by one opened later.
  const again = put({ "a.txt": "3\n" });
  for (const one of [store, createGitStore({ gitDirectory: own, run, read })])
    expect(
      String(
        await one.readBlobs([again[0]!.hash]).catch(async () => {
          await one.storeTree(again);
          return one.readBlobs([again[0]!.hash]);
        }),
      ),
    ).toBe("3\n");
  const fsck = spawnSync("git", ["fsck", "--full", "--strict"], {
    env: { ...process.env, GIT_DIR: own },
  });
  expect([fsck.status, String(fsck.stderr)]).toEqual([0, expect.not.stringContaining("error")]);
});
