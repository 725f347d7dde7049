import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPreparedTrees, type PreparedTrees, type TreeOrigin } from "./prepared-trees.ts";
import { keepWithin, treeBytes, treeLimit } from "./tree-limit.ts";

let folder: string;
let trees: PreparedTrees;
const KB = 1024;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-limit-"));
  trees = createPreparedTrees(join(folder, "trees"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Adds a tree of one package with 100 KB, last used this many minutes ago. */
async function add(name: string, from: TreeOrigin, minutes: number) {
  const modules = join(folder, "made");
  mkdirSync(join(modules, name), { recursive: true });
  writeFileSync(join(modules, name, "index.js"), Buffer.alloc(100 * KB, 1));
  const expected = { dependencies: { [name]: "1.0.0" }, devDependencies: {} };
  const tree = await trees.add(
    { manager: "npm", wanted: expected, from, scripts: false, shared: true, open: true },
    modules,
    "{}",
  );
  const used = new Date(Date.now() - minutes * 60_000);
  utimesSync(join(trees.folder, tree.key, "tree.json"), used, used);
  return tree;
}
const left = () =>
  trees
    .all()
    .flatMap(({ wanted: expected }) => Object.keys(expected.dependencies))
    .sort();

it("removes the least recently used tree first, those of templates last, and only as many as necessary", async () => {
  await add("template", "template", 100);
  await add("old", "manifest", 90);
  await add("older", "lock", 95);
  await add("new", "manifest", 1);
  const each = treeBytes(trees.all()) / 4;
  expect(each).toBeGreaterThanOrEqual(100 * KB);
  await keepWithin(trees, 4 * each);
  expect(left()).toEqual(["new", "old", "older", "template"]);
  await keepWithin(trees, 4 * each - 1);
  expect(left()).toEqual(["new", "old", "template"]);
  await keepWithin(trees, each);
  expect(left()).toEqual(["template"]);
  await keepWithin(trees, 0);
  expect(left()).toEqual([]);
  expect(readdirSync(trees.folder)).toEqual([]);
});

it("does not remove a tree in use, but counts it, and removes it once nobody uses it", async () => {
  const old = await add("old", "manifest", 90);
  await add("new", "manifest", 1);
  const each = treeBytes(trees.all()) / 2;
  const [one, two] = [trees.hold(old)!, trees.hold(old)!];
  await keepWithin(trees, each);
  expect(left()).toEqual(["old"]);
  one();
  one();
  await keepWithin(trees, 0);
  expect(left()).toEqual(["old"]);
  two();
  await keepWithin(trees, 0);
  expect(left()).toEqual([]);
  expect(trees.hold(old)).toBeUndefined();
});

it("ignores the hold of a killed server", async () => {
  const tree = await add("left", "manifest", 1);
  mkdirSync(join(trees.folder, tree.key, "held-by"));
  // Larger than any pid on Linux.
  writeFileSync(join(trees.folder, tree.key, "held-by", "4194305"), "");
  await keepWithin(trees, 0);
  expect(left()).toEqual([]);
});

it("ignores trees for another version of Node, and removes them after a month", async () => {
  for (const [name, days] of [
    ["recent", 29],
    ["old", 31],
  ] as const) {
    const { key } = await add(name, "manifest", days * 24 * 60);
    const file = join(trees.folder, key, "tree.json");
    writeFileSync(file, JSON.stringify({ platform: "linux-x64-glibc-node99", from: "manifest" }));
    const used = new Date(Date.now() - days * 24 * 60 * 60_000);
    utimesSync(file, used, used);
  }
  trees.forget();
  expect(left()).toEqual([]);
  await keepWithin(trees, 0);
  expect(readdirSync(trees.folder)).toHaveLength(1);
});

it("parses the limit as megabytes, uses the default for invalid values, and has a minimum for one tree", () => {
  const MB = 1024 * 1024;
  for (const [given, megabytes] of [
    [undefined, 8192],
    ["", 8192],
    ["much", 8192],
    ["-1", 8192],
    ["0", 8192],
    ["500", 500],
    ["1", 64],
  ] as const)
    expect(treeLimit({ TREADLE_DEPENDENCY_CACHE_MB: given })).toBe(megabytes * MB);
});
