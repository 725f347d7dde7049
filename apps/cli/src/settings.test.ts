import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Sources of the product, its scripts and its benches; a test's own variables are nobody's settings. */
function sources(): string[] {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  return [
    ...folders.flatMap((folder) => [join(folder, "src"), join(folder, "bin")]),
    "scripts",
    "bench",
  ]
    .flatMap((folder) => {
      const absolute = folder.startsWith("/") ? folder : join(root, folder);
      try {
        return readdirSync(absolute, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name));
      } catch {
        return [];
      }
    })
    .filter((path) => !/\.test\.tsx?$|node_modules|src\/attacks\//.test(path));
}

it("every variable that is read is described in docs/settings.md, and no other", () => {
  const used = new Set(
    sources().flatMap((path) => readFileSync(path, "utf8").match(/\bTREADLE_[A-Z_]*[A-Z]/g) ?? []),
  );
  const described = new Set(
    readFileSync(join(root, "docs/settings.md"), "utf8").match(/TREADLE_[A-Z_]*[A-Z]/g) ?? [],
  );
  expect([...used].filter((name) => !described.has(name))).toEqual([]);
  expect([...described].filter((name) => !used.has(name))).toEqual([]);
});
