/** Projects in which package managers are called, with a registry of a few tiny packages. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import {
  startRegistry,
  type FakePackage,
  type FakeRegistry,
} from "../attacks/pretended-registry.ts";
import { evilPackage } from "../attacks/maker-packages.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { MANAGERS } from "../package-managers/managers.ts";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import { createLocalDriver } from "./driver.ts";

/**
 * Imitates a package manager as far as the tests need: reports its call and writes its lock file.
 */
const FAKE_PNPM = `#!/usr/bin/env node
const fs = require("fs");
const { dependencies = {} } = JSON.parse(fs.readFileSync("package.json", "utf8"));
for (const name of [...Object.keys(dependencies), ...process.argv.slice(3).filter((word) => !word.startsWith("-"))]) {
  fs.mkdirSync("node_modules/" + name, { recursive: true });
  fs.writeFileSync("node_modules/" + name + "/package.json", JSON.stringify({ name, version: "1.0.0" }));
}
fs.writeFileSync("pnpm-lock.yaml", "by: pnpm\\n");
console.log("this is pnpm " + process.argv.slice(2).join(" "));
`;

const js = (text: string) => ({ "index.js": `module.exports = ${JSON.stringify(text)};\n` });
const PACKAGES: FakePackage[] = [
  { name: "one", version: "1.0.0", files: js("one 1.0.0") },
  { name: "one", version: "1.1.0", files: js("one 1.1.0") },
  { name: "two", version: "1.0.0", files: js("two") },
  { name: "other", version: "1.0.0", files: js("not what you think") },
  {
    name: "scripted",
    version: "1.0.0",
    fields: {
      scripts: { postinstall: "ls -A /home/project > seen; echo x > ../two/poison; true" },
    },
    files: js("scripted"),
  },
  { name: "lefty", version: "1.0.0", files: js("honest") },
  evilPackage,
  {
    name: "meddler",
    version: "1.0.0",
    fields: { scripts: { postinstall: "echo 'module.exports = \"evil\"' > ../lefty/index.js" } },
    files: js("meddler"),
  },
  {
    name: "sparse",
    version: "1.0.0",
    fields: {
      scripts: {
        postinstall: "for n in 0 1 2 3 4 5 6 7 8 9; do truncate -s 3000000000 big$n; done",
      },
    },
    files: js("sparse"),
  },
  {
    name: "pnpm",
    version: MANAGERS.pnpm.version,
    fields: { bin: { pnpm: "pnpm.js" } },
    files: { "pnpm.js": FAKE_PNPM },
  },
];

/** The folder of the tests of one file, created by {@link useInstalls} and removed after them. */
export let folder: string;
export let registry: FakeRegistry;
export let driver: WorkspaceDriver;
let opened = 0;
export const cache = () => join(folder, "cache");
export const env = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_registry: registry.url,
});

/** Gives the calling test file a folder, a registry and a driver. */
export function useInstalls(): void {
  ensureGuest();
  /** Each test runs several package managers in turn, possibly on a busy machine. */
  vi.setConfig({ testTimeout: 150_000 });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "treadle-install-"));
    chmodSync(folder, 0o755);
    registry = await startRegistry(PACKAGES);
    // No tree is made in the background, where it would answer a later test's install.
    driver = createLocalDriver({ cacheDirectory: cache(), env: env(), quietMs: 3_600_000 });
  });
  afterAll(async () => {
    await driver.close();
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

type Inside = (command: string) => Promise<string>;

/** Creates a project with these files; `inside` returns a command's output. */
export async function project(
  files: Record<string, unknown>,
  act: (inside: Inside, workspace: Workspace) => Promise<void>,
  from: WorkspaceDriver = driver,
): Promise<void> {
  const name = `install-${process.pid}-${++opened}`;
  const place = {
    directory: join(folder, name, "files"),
    stateDirectory: join(folder, name, "state"),
  };
  const workspace = await from.open({ project: name, ...place });
  try {
    for (const [path, content] of Object.entries(files))
      await workspace.files.write(
        toProjectPath(path),
        typeof content === "string" ? content : JSON.stringify(content),
      );
    await act(async (command) => (await workspace.run(command)).output, workspace);
  } finally {
    await workspace.stop();
  }
}
export const asking = (dependencies: Record<string, string>) => ({
  "package.json": { name: "app", version: "1.0.0", dependencies },
});
export const text = async (workspace: Workspace, path: string) =>
  Buffer.from((await workspace.files.read(toProjectPath(path))).bytes).toString();
