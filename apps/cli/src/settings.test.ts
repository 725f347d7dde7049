import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const OURS = /^(packages|apps)\/[^/]+\/(src|bin|[^/]*$)|^(scripts|bench|e2e)\//;
const NOT_SOURCES = /(^|\/)(node_modules|dist|coverage)(\/|$)/;

function sources(folders: string[]): string[] {
  const found: string[] = [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (NOT_SOURCES.test(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (OURS.test(path) && /\.(ts|tsx|mjs)$/.test(path)) found.push(path);
    }
  return found;
}

const namesIn = (paths: string[]) =>
  new Set(
    paths.flatMap(
      (path) => readFileSync(join(root, path), "utf8").match(/\bTREADLE_[A-Z_]*[A-Z]/g) ?? [],
    ),
  );

it("every variable that is read is documented in docs/settings.md, and no other", () => {
  const all = sources(["packages", "apps", "scripts", "bench"]);
  const described = namesIn(["docs/settings.md"]);
  // Variables that tests make up are not settings.
  const read = namesIn(
    all.filter((path) => !/\.test(?:-support)?\.tsx?$|\/attacks\/|-attempts\.ts$/.test(path)),
  );
  expect([...read].filter((name) => !described.has(name))).toEqual([]);
  // Some are for running the browser tests, which make up others for what they start.
  const anywhere = namesIn([...all, ...sources(["e2e"])]);
  expect([...described].filter((name) => !anywhere.has(name))).toEqual([]);
});
