import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  chmodSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultOfRestored } from "./restored-folder.ts";
import { unpack } from "./unpack.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-unpack-"));
  mkdirSync(join(folder, "in"));
  mkdirSync(join(folder, "out"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inside = (path: string) => {
  mkdirSync(dirname(join(folder, "in", path)), { recursive: true });
  return join(folder, "in", path);
};
/** Packs the content of `in`, with additional arguments for tar, and unpacks it to `out`. */
async function throughAnArchive(...words: string[]): Promise<string | undefined> {
  const file = join(folder, "x.tar.gz");
  execFileSync("tar", ["-czPf", file, "-C", join(folder, "in"), ...words, "."]);
  await unpack(file, join(folder, "out"));
  return faultOfRestored(join(folder, "out"));
}

describe("a backup made by someone else", () => {
  it("is accepted with links in a project and in the person's own rules (A85)", async () => {
    for (const place of [
      "projects/p/files/a",
      "projects/p/state/layers/l/a",
      "projects/p/releases/1/files/a",
      "skills/a",
    ])
      symlinkSync("/etc", inside(place));
    writeFileSync(inside("a"), "");
    linkSync(inside("a"), inside("b"));
    chmodSync(join(folder, "in"), 0o777);
    expect(await throughAnArchive()).toBeUndefined();
    expect(statSync(join(folder, "out")).mode & 0o777).toBe(0o700);
  });

  it("is accepted without its caches with links, which backups used to contain", async () => {
    symlinkSync("/etc", inside("folders/k/projects/p/state/cache/node-gyp/include"));
    symlinkSync("/etc", inside("folders/k/projects/p/releases/1/state/cache/node-gyp/include"));
    writeFileSync(inside("folders/k/projects/p/state/owner.json"), "{}");
    expect(await throughAnArchive()).toBeUndefined();
    expect(readdirSync(join(folder, "out/folders/k/projects/p/state"))).toEqual(["owner.json"]);
  });

  it.each([
    "projects",
    "projects/p",
    "projects/p/files",
    "projects/p/state/layers",
    "projects/p/state/checkpoints.git/hooks",
    "treadle.sqlite",
    "token",
    "folders/k/projects/p/files",
    "projects/p/releases/1",
    "projects/p/releases/1/site/a",
  ])("is refused with a link in place of %s (A85)", async (path) => {
    symlinkSync(join(folder, "mine"), inside(path));
    expect(await throughAnArchive()).toBe(`${path} is a link, where there must be none`);
  });

  it("is refused with a setuid program or a device file (A85)", async () => {
    writeFileSync(inside("projects/p/files/su"), "");
    chmodSync(inside("projects/p/files/su"), 0o4755);
    expect(await throughAnArchive()).toBe("projects/p/files/su would run as another user");
    rmSync(inside("projects/p/files/su"));
    rmSync(join(folder, "out"), { recursive: true });
    mkdirSync(join(folder, "out"));
    writeFileSync(join(folder, "mine"), "mine");
    linkSync(join(folder, "mine"), join(folder, "out", "hard"));
    expect(faultOfRestored(join(folder, "out"))).toBe(
      "hard is one file with another that is not in it",
    );
  });

  it("writes nothing outside of the folder, whatever its names (A85)", async () => {
    writeFileSync(inside("evil"), "evil");
    await throughAnArchive(`--transform=s,evil,${folder}/evil,`).catch(() => undefined);
    await throughAnArchive("--transform=s,evil,../evil,").catch(() => undefined);
    // A link first, and then a file through it.
    symlinkSync(folder, inside("way"));
    const file = join(folder, "x.tar");
    execFileSync("tar", ["-cf", file, "-C", join(folder, "in"), "way"]);
    execFileSync("tar", ["-rf", file, "-C", join(folder, "in"), "--transform=s,^,way/,", "evil"]);
    const packed = join(folder, "y.tar.gz");
    writeFileSync(packed, gzipSync(readFileSync(file)));
    await unpack(packed, join(folder, "out")).catch(() => undefined);
    expect(existsSync(join(folder, "evil"))).toBe(false);
  });

  it("cannot unpack more than there is space for (A85)", async () => {
    const file = join(folder, "bomb.tar.gz");
    writeFileSync(inside("zeros"), new Uint8Array(3_000_000));
    execFileSync("tar", ["-czf", file, "-C", join(folder, "in"), "."]);
    expect(statSync(file).size).toBeLessThan(20_000);
    await expect(unpack(file, join(folder, "out"), { room: 1_000_000 })).rejects.toThrow(
      "larger than the free space",
    );
    const { size = 0 } = statSync(join(folder, "out/zeros"), { throwIfNoEntry: false }) ?? {};
    expect(size).toBeLessThanOrEqual(1_000_000);
  });

  it("is reported if it is invalid or truncated", async () => {
    const file = join(folder, "x.tar.gz");
    for (const bytes of [Buffer.from("no archive"), gzipSync("no archive")]) {
      writeFileSync(file, bytes);
      await expect(unpack(file, join(folder, "out"))).rejects.toThrow(/\w{3}/);
    }
  });
});
