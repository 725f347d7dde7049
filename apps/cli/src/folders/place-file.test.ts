import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeFile } from "./place-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-place-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (path: string, content = "new\n") => placeFile(folder, { path, content });

describe("a file of a saved answer", () => {
  it("A23 is not written where git would obey it, at any depth and in any spelling of the disk", async () => {
    for (const path of [
      ".git/config",
      ".git/hooks/post-checkout",
      "sub/.GIT/hooks/pre-commit",
      "sub/.git",
      ".git./config",
      ".git /config",
      "git~1/config",
      ".git::$INDEX_ALLOCATION/config",
    ])
      expect(await place(path), path).toContain("belongs to git");
    expect(readdirSync(folder)).toEqual([]);
    for (const path of [".gitignore", ".github/workflows/a.yml", "git/a", ".gitmodules"])
      expect(await place(path), path).toBeUndefined();
  });

  it("A22 is not written into a pipe or a device, without blocking", async () => {
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe")]);
    expect(await place("pipe")).toBe("pipe is not a plain file");
    mkdirSync(join(folder, "folder"));
    expect(await place("folder")).toBe("folder is a folder");
    expect(await place("pipe/below")).toBeDefined();
    for (const path of ["", ".", "../", "a\0b"]) expect(await place(path)).toBeDefined();
  });

  it("A20 is not written through a link", async () => {
    const outside = mkdtempSync(join(tmpdir(), "treadle-outside-"));
    writeFileSync(join(outside, "a"), "theirs");
    symlinkSync(outside, join(folder, "link"));
    symlinkSync(join(outside, "a"), join(folder, "file"));
    expect(await place("link/a")).toBe("link is a link");
    expect(await place("file")).toBe("file is a link");
    expect(readFileSync(join(outside, "a"), "utf8")).toBe("theirs");
    rmSync(outside, { recursive: true });
  });

  it("replaces a file atomically, keeps its permissions and leaves nothing else", async () => {
    writeFileSync(join(folder, "run.sh"), "old, and longer than the new one\n");
    chmodSync(join(folder, "run.sh"), 0o755);
    expect(await place("run.sh")).toBeUndefined();
    expect(readFileSync(join(folder, "run.sh"), "utf8")).toBe("new\n");
    expect(statSync(join(folder, "run.sh")).mode & 0o777).toBe(0o755);
    expect(await place("a/b/c.txt")).toBeUndefined();
    expect(readdirSync(folder)).toEqual(["a", "run.sh"]);
    expect(existsSync(join(folder, "a/b/c.txt"))).toBe(true);
  });
});
