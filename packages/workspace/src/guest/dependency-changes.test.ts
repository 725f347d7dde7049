import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSources } from "../sources/sources.ts";
import { packageOf } from "../package-managers/package-of.ts";
import { dependencyChanges } from "./dependency-changes.ts";
import { createSourceReader } from "./source-reader.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "treadle-changes-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "x");
}
const look = async (since: number, known: { path: string; at: number }[] = []) => {
  const asked = known.map(({ path, at }) => ({ path: toProjectPath(path), at }));
  const sources = createSources(createSourceReader(root));
  const { changed } = await dependencyChanges(root, sources, { since, kept: asked });
  return changed.map(({ path }) => String(path)).toSorted();
};

it("finds package files that were written since a given time, also in workspaces and behind pnpm's folders", async () => {
  const inPackages = [
    "node_modules/a/index.js",
    "node_modules/@s/b/index.js",
    "node_modules/.pnpm/c@1/node_modules/c/index.js",
    "packages/web/node_modules/d/index.js",
  ];
  const beside = [
    "node_modules/.vite/deps/a.js",
    "node_modules/.cache/x",
    "node_modules/.package-lock.json",
    "src/a.js",
  ];
  for (const path of [...inPackages, ...beside]) put(path);
  mkdirSync(join(root, "node_modules/.bin"));
  symlinkSync("../a/index.js", join(root, "node_modules/.bin/a"));
  expect(await look(0)).toEqual([...inPackages, "node_modules/.bin/a"].toSorted());
  expect(await look(Date.now() + 60_000)).toEqual([]);
});

it("keeps reporting a changed file until it is written again or removed", async () => {
  put("node_modules/a/index.js");
  put("node_modules/b/index.js");
  const at = (path: string) => Math.floor(statSync(join(root, path)).ctimeMs);
  const known = ["node_modules/a/index.js", "node_modules/b/index.js"].map((path) => ({
    path,
    at: at(path),
  }));
  const later = Date.now() + 60_000;
  expect(await look(later, known)).toEqual(["node_modules/a/index.js", "node_modules/b/index.js"]);
  rmSync(join(root, "node_modules/b"), { recursive: true });
  expect(await look(later, known)).toEqual(["node_modules/a/index.js"]);
  expect(await look(later, [{ path: "node_modules/a/index.js", at: known[0]!.at - 5 }])).toEqual(
    [],
  );
});

it.each([
  ["node_modules/a/lib/x.js", "a"],
  ["node_modules/@s/b/x.js", "@s/b"],
  ["node_modules/a/node_modules/b/x.js", "b"],
  ["node_modules/.bin/tsc", "tsc"],
  ["node_modules/.vite/x.js", undefined],
  ["node_modules/loose.js", undefined],
  ["src/x.js", undefined],
])("%s belongs to %s", (path, name) => expect(packageOf(path)).toBe(name));
