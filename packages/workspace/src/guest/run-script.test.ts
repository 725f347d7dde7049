import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scriptCommand } from "./run-script.ts";
import { usesGlobalCache } from "./yarn-cache.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "treadle-script-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "packages/web"), { recursive: true });
  return folder;
}

const run = (folder: string) =>
  scriptCommand({ folder, manifest: { scripts: { dev: "vite" } } }, "dev", [], {
    env: { PATH: "/usr/bin" },
    from: folder,
  });

it("a workspace's script finds the programs of its project", () => {
  const folder = makeFolder();
  const path = run(join(folder, "packages/web"))!.env.PATH!.split(":");
  expect(path[0]).toBe(join(folder, "packages/web/node_modules/.bin"));
  expect(path).toContain(join(folder, "node_modules/.bin"));
  expect(path.at(-1)).toBe("/usr/bin");
});

it("a script is left to Yarn if it has created no node_modules", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, ".pnp.cjs"), "");
  expect(run(join(folder, "packages/web"))).toBeUndefined();
});

it("Yarn keeps packages in the project unless it creates a node_modules", () => {
  const folder = makeFolder();
  expect(usesGlobalCache(folder)).toBe(false);
  writeFileSync(join(folder, ".yarnrc.yml"), "enableTelemetry: false\nnodeLinker: node-modules\n");
  expect(usesGlobalCache(join(folder, "packages/web"))).toBe(true);
  writeFileSync(join(folder, ".yarnrc.yml"), "nodeLinker: pnp\n");
  expect(usesGlobalCache(folder)).toBe(false);
});
