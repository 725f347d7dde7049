import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { removeTree } from "./remove-tree.ts";

it("A51 removes folders that are nested deeper than a path can be long, with their content", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-remove-"));
  const script = `
    const { chmodSync, mkdirSync, symlinkSync, writeFileSync } = require("fs");
    process.chdir(process.argv[1]);
    writeFileSync(Buffer.from([111, 100, 100, 255]), "x");
    mkdirSync(".going-1");
    symlinkSync("/", "link");
    for (let depth = 0; depth < 600; depth++) {
      mkdirSync("a-folder-with-a-name");
      process.chdir("a-folder-with-a-name");
      writeFileSync("file", "");
      symlinkSync("..", "up");
    }
    chmodSync(".", 0);`;
  const made = spawnSync(process.execPath, ["-e", script, folder], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

it("removes folders that their owner may not read, as overlay leaves them", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-remove-"));
  chmodSync(folder, 0o777);
  const layer = join(folder, "layer");
  for (const path of [layer, join(layer, "work"), join(layer, "work/work")]) mkdirSync(path);
  const script = `const { removeTree } = await import(${JSON.stringify(fileURLToPath(new URL("./remove-tree.ts", import.meta.url)))}); await removeTree(${JSON.stringify(layer)});`;
  const isRoot = process.getuid?.() === 0;
  // Root can read everything, so another user has to try.
  if (isRoot)
    for (const path of ["layer/work/work", "layer/work", "layer"])
      chownSync(join(folder, path), 12_345, 12_345);
  chmodSync(join(layer, "work/work"), 0o000);
  const tried = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    ...(isRoot && { uid: 12_345, gid: 12_345 }),
  });
  expect(tried.stderr).toBe("");
  expect(existsSync(layer)).toBe(false);
  rmSync(folder, { recursive: true });
});
