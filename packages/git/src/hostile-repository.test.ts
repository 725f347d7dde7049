import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { reachGit, readGitAddress } from "./address.ts";
import { failureOfGit } from "./failure-of-git.ts";
import { CONFLICTS, mergeCommits } from "./merge.ts";
import { openRepository, type Repository } from "./repository.ts";

let folder: string;
let repository: Repository;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-hostile-git-"));
  repository = await openRepository(join(folder, "remote.git"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MB = 1024 * 1024;

/** A small pack with one file of a megabyte, and deltas that repeat it. */
function bomb(times: number): Buffer {
  const sized = (type: number, size: number) => {
    const bytes = [(type << 4) | (size & 15)];
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      bytes[bytes.length - 1]! |= 128;
      bytes.push(rest & 127);
    }
    return Buffer.from(bytes);
  };
  const blobOf = (size: number) => {
    const bytes = [size % 128];
    for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
      bytes[bytes.length - 1]! |= 128;
      bytes.push(rest % 128);
    }
    return Buffer.from(bytes);
  };
  const base = Buffer.concat([sized(3, MB), deflateSync(Buffer.alloc(MB))]);
  const delta = Buffer.concat([
    blobOf(MB),
    blobOf(MB * times),
    Buffer.from("c010".repeat(times), "hex"),
  ]);
  // The distance back to its base.
  const back = [base.length & 127];
  for (let rest = base.length >> 7; rest > 0; rest >>= 7) back.unshift(128 | (--rest & 127));
  const head = Buffer.from("5041434b0000000200000002", "hex");
  const all = Buffer.concat([
    head,
    base,
    sized(6, delta.length),
    Buffer.from(back),
    deflateSync(delta),
  ]);
  return Buffer.concat([all, createHash("sha1").update(all).digest()]);
}

it("A100 accepts a normal pack, and refuses one that unpacks to gigabytes before they are in memory", async () => {
  const taken = await repository.git(["index-pack", "--stdin"], { input: bomb(20) });
  expect(taken.toString()).toMatch(/^pack\t[0-9a-f]{40}/);
  await expect(
    repository.git(["index-pack", "--stdin"], { input: bomb(8 * 1024) }),
  ).rejects.toThrow();
});

it("A100 refuses an unusable number of conflicts with one message, without reading them", async () => {
  const commit = async (text: string, files: number) => {
    const blob = await repository.line(["hash-object", "-w", "--stdin"], { input: text });
    const lines = Array.from({ length: files }, (_, at) => `100644 blob ${blob}\tf${at}\n`);
    const tree = await repository.line(["mktree"], { input: lines.join("") });
    return repository.line(["commit-tree", tree, "-F", "-"], { input: text });
  };
  const sides = async (files: number): Promise<[string, string]> => [
    await commit("ours", files),
    await commit("theirs", files),
  ];
  await expect(mergeCommits(repository, await sides(CONFLICTS + 1), {})).rejects.toMatchObject({
    code: "git-conflicts",
  });
  expect(await mergeCommits(repository, await sides(3), {})).toMatchObject({
    conflicts: [{ ours: "ours", theirs: "theirs" }, {}, {}],
  });
});

it.each(["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "169.254.169.254", "168.63.129.16"])(
  "A39 refuses a cloud's metadata service as a repository, even if local addresses are allowed: %s",
  async (host) => {
    const address = readGitAddress(`http://${host}/a/b.git`);
    await expect(reachGit(address, true)).rejects.toMatchObject({ code: "git-refused" });
  },
);

it("A103 shows a git server's output without terminal control sequences or hidden characters", () => {
  const { coded } = failureOfGit(
    "remote: no\nfatal: \u001b[2J\u001b]0;x\u0007gone\u202egpj\n",
    undefined,
  );
  expect(coded?.values?.["why"]).toBe("fatal: gone\\u{202e}gpj");
});
