import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { isInstalled } from "./is-installed.ts";
import { readFacts } from "./project-facts.ts";

/** Checks a real folder on disk, so that files are really looked up. */
async function check(files: Record<string, string>, links: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "treadle-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(at(path), text);
  for (const [path, to] of Object.entries(links)) symlinkSync(to, at(path));
  const workspace = createFakeWorkspace({
    files,
    command(command) {
      const { status, stdout } = spawnSync("bash", ["-c", command], {
        cwd: folder,
        env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
      });
      return { code: status ?? 1, output: stdout.toString() };
    },
  });
  const facts = await readFacts(workspace);
  const { manifest } = facts;
  const signal = new AbortController().signal;
  return {
    installed: await isInstalled({ ...facts, manifest: manifest! }, workspace, signal),
    commands: workspace.commands.length,
  };
}

const pkg = (version: string) => JSON.stringify({ version });

it("is detected without a command if npm has installed it", async () => {
  const manifest = JSON.stringify({ dependencies: { a: "^1.0.0" } });
  const there = { "package.json": manifest, "node_modules/a/package.json": pkg("1.2.0") };
  expect(await check(there)).toEqual({ installed: true, commands: 0 });
  expect(await check({ ...there, "node_modules/a/package.json": pkg("2.0.0") })).toEqual({
    installed: false,
    commands: 0,
  });
});

it("follows pnpm's links", async () => {
  const files = {
    "package.json": JSON.stringify({ dependencies: { a: "^1.0.0" } }),
    "pnpm-lock.yaml": "",
    "node_modules/.pnpm/a@1.0.0/node_modules/a/package.json": pkg("1.0.0"),
  };
  const links = { "node_modules/a": ".pnpm/a@1.0.0/node_modules/a" };
  expect((await check(files, links)).installed).toBe(true);
  expect((await check(files)).installed).toBe(false);
});

it("looks at each workspace, for what lies beside it or above", async () => {
  const files = {
    "package.json": JSON.stringify({ workspaces: ["packages/*", "!packages/old"] }),
    "packages/web/package.json": JSON.stringify({
      dependencies: { ui: "workspace:*", a: "^1.0.0", b: "2.x" },
    }),
    "packages/ui/package.json": pkg("1.0.0"),
    "packages/old/package.json": JSON.stringify({ dependencies: { gone: "1.0.0" } }),
    "node_modules/a/package.json": pkg("1.5.0"),
    "packages/web/node_modules/b/package.json": pkg("2.0.1"),
  };
  const links = { "node_modules/ui": "../packages/ui" };
  expect((await check(files, links)).installed).toBe(true);
  expect((await check(files)).installed).toBe(false);
});

it("reads Yarn's table if there is no node_modules", async () => {
  const files = (range: string) => ({
    "package.json": JSON.stringify({ packageManager: "yarn@4.9.2", dependencies: { a: range } }),
    ".pnp.cjs": '["a", "virtual:abc#npm:1.4.0"],\n["aa", "npm:3.0.0"]',
  });
  expect(await check(files("^1.0.0"))).toEqual({ installed: true, commands: 0 });
  expect((await check(files("^3.0.0"))).installed).toBe(false);
});

it("is not told by ranges alone where npm's lock file names another version than was installed", async () => {
  const locked = (version: string, more: object = {}) =>
    JSON.stringify({
      packages: {
        "": { name: "app" },
        "node_modules/a": { version, resolved: `https://r/a-${version}.tgz` },
        ...more,
      },
    });
  const there = {
    "package.json": JSON.stringify({ dependencies: { a: "^1.0.0" } }),
    "node_modules/a/package.json": pkg("1.2.0"),
    "node_modules/.package-lock.json": locked("1.2.0"),
  };
  const installed = async (lock: string) =>
    (await check({ ...there, "package-lock.json": lock })).installed;
  expect(await installed(locked("1.2.0"))).toBe(true);
  // An optional dependency that was added since was not tried yet; one that was tried may be missing.
  const manifest = JSON.stringify({
    ...JSON.parse(there["package.json"]),
    optionalDependencies: { extra: "^2.0.0" },
  });
  const withOptional = async (root: object) =>
    (
      await check({
        ...there,
        "package.json": manifest,
        "package-lock.json": locked("1.2.0", root),
      })
    ).installed;
  expect(await withOptional({})).toBe(false);
  expect(await withOptional({ "": { optionalDependencies: { extra: "^2.0.0" } } })).toBe(true);
  expect(await installed(locked("1.3.0"))).toBe(false);
  // Dependencies of a dependency, and those for other systems only.
  const deep = { version: "2.0.0" };
  expect(await installed(locked("1.2.0", { "node_modules/deep": deep }))).toBe(false);
  const optional = { ...deep, optional: true };
  expect(await installed(locked("1.2.0", { "node_modules/deep": optional }))).toBe(true);
  const link = { resolved: "packages/ui", link: true };
  expect(await installed(locked("1.2.0", { "node_modules/ui": link }))).toBe(true);
  // An unreadable lock file proves nothing.
  for (const lock of ["", "{}", '{"packages":[]}', "null"])
    expect(await installed(lock)).toBe(true);
});

it("is also detected by the copy of its lock file that pnpm keeps", async () => {
  const lock = (version: string) => `lockfileVersion: '9.0'\n\npackages:\n\n  a@${version}: {}\n`;
  const there = {
    "package.json": JSON.stringify({ dependencies: { a: "^1.0.0" } }),
    "node_modules/a/package.json": pkg("1.2.0"),
    "node_modules/.pnpm/lock.yaml": lock("1.2.0"),
  };
  const installed = async (text: string) =>
    (await check({ ...there, "pnpm-lock.yaml": text })).installed;
  expect(await installed(lock("1.2.0").replaceAll("\n", "\r\n"))).toBe(true);
  expect(await installed(lock("1.3.0"))).toBe(false);
});
