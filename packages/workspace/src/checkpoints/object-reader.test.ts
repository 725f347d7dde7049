import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openObjectReader } from "./object-reader.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-objects-"));
  git("init", "-q", "--bare");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync("git", ["--git-dir", folder, ...args], { stdio: ["pipe", "pipe", "ignore"] });
const store = (text: string) =>
  execFileSync("git", ["--git-dir", folder, "hash-object", "-w", "--stdin"], { input: text })
    .toString()
    .trim();
const pack = (hashes: string[]) => {
  const place = join(folder, "objects/pack/pack");
  execFileSync("git", ["--git-dir", folder, "pack-objects", "-q", "--delta-base-offset", place], {
    input: `${hashes.join("\n")}\n`,
  });
  git("prune-packed");
};
const long = (number: number) =>
  `${"a line that stays\n".repeat(2_000)}${number}\n${"and more\n".repeat(2_000)}`;

it("reads loose objects, packed objects and deltas", () => {
  const texts = ["", "short\n", ...Array.from({ length: 12 }, (_, number) => long(number))];
  const hashes = texts.map(store);
  const check = () => {
    const objects = openObjectReader(folder);
    for (const [index, hash] of hashes.entries())
      expect(objects.read(hash, 1_000_000)?.bytes.toString()).toBe(texts[index]);
    objects.close();
  };
  check();
  pack(hashes);
  expect(readdirSync(join(folder, "objects")).filter((name) => name.length === 2)).toEqual([]);
  check();
});

it("returns undefined for an object that is too long, missing, or does not match its id", () => {
  const hash = store("four");
  const objects = openObjectReader(folder);
  expect(objects.read(hash, 4)?.bytes.toString()).toBe("four");
  expect(objects.read(hash, 3)).toBeUndefined();
  expect(objects.read("0".repeat(40), 100)).toBeUndefined();
  const other = `${"0".repeat(39)}1`;
  mkdirSync(join(folder, "objects/00"));
  const bytes = execFileSync("cat", [join(folder, "objects", hash.slice(0, 2), hash.slice(2))]);
  writeFileSync(join(folder, "objects/00", other.slice(2)), bytes);
  expect(objects.read(other, 100)).toBeUndefined();
  objects.close();
});

it("returns undefined for objects in a truncated pack, so that git is asked", () => {
  const hashes = [long(1), long(2)].map(store);
  pack(hashes);
  const [name] = readdirSync(join(folder, "objects/pack")).filter((one) => one.endsWith(".pack"));
  const path = join(folder, "objects/pack", name!);
  rmSync(path);
  writeFileSync(path, "PACK");
  const objects = openObjectReader(folder);
  expect(hashes.map((hash) => objects.read(hash, 1_000_000))).toEqual([undefined, undefined]);
  expect(hashes.map((hash) => objects.sizeOf(hash))).toEqual([undefined, undefined]);
  objects.close();
});
