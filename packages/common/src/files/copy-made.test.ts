import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMadeFile, readMadeManifest } from "./made-file.ts";
import { copyMade } from "./copy-made.ts";

let folder: string;
let made: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-copy-"));
  [made, copy] = [join(folder, "made"), join(folder, "below", "copy")];
  mkdirSync(join(made, "src"), { recursive: true });
  writeFileSync(join(made, "src", "a.ts"), "a");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("A108 copies regular content, and blocks on nothing in it", async () => {
  execFileSync("mkfifo", [join(made, "pipe")]);
  symlinkSync("/etc/passwd", join(made, "link"));
  mkdirSync(join(made, "node_modules"));
  mkdirSync(join(made, "src", "node_modules"));
  await copyMade(made, copy, new Set(["node_modules"]));
  expect(readdirSync(copy).toSorted()).toEqual(["link", "src"]);
  expect(readdirSync(join(copy, "src"))).toEqual(["a.ts"]);
  expect(readlinkSync(join(copy, "link"))).toBe("/etc/passwd");
});

it("A108 does not fully copy a sparse file", async () => {
  writeFileSync(join(made, "holes"), "");
  truncateSync(join(made, "holes"), 2 ** 40);
  await expect(copyMade(made, copy, new Set())).rejects.toThrow("2 GB");
});

it.each([
  ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["a link", (path: string) => symlinkSync("/etc/hostname", path)],
  ["a folder", (path: string) => mkdirSync(path)],
  ["more than is read", (path: string) => writeFileSync(path, " ".repeat(2_000_000))],
  ["nothing", () => undefined],
])("A108 does not read %s", (_, lay) => {
  lay(join(made, "package.json"));
  expect(readMadeFile(made, "package.json")).toBeUndefined();
  expect(readMadeManifest(made)).toBeUndefined();
});

it.each(["null", "[]", "5", "{", '"x"'])("A108 treats a package.json of %s as empty", (text) => {
  writeFileSync(join(made, "package.json"), text);
  expect(readMadeManifest(made)).toBeUndefined();
});
