import { toProjectPath } from "@treadle/protocol/project-path";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";
import { createPreparedTrees } from "../dependencies/prepared-trees.ts";

ensureGuest();
/** Some tests run npm itself, possibly on a busy machine. */
vi.setConfig({ testTimeout: 150_000 });

let folder: string;
let driver: WorkspaceDriver;
let tree: string;
let opened = 0;

const MANIFEST = JSON.stringify({ name: "app", dependencies: { "tiny-thing": "^1.2.0" } });

/** Creates a prepared tree without a registry: one package that prints its version. */
async function prepare(cache: string): Promise<string> {
  const modules = join(folder, "made/node_modules");
  mkdirSync(join(modules, "tiny-thing"), { recursive: true });
  writeFileSync(
    join(modules, "tiny-thing/package.json"),
    '{"name":"tiny-thing","version":"1.2.3","main":"index.js"}',
  );
  writeFileSync(join(modules, "tiny-thing/index.js"), 'module.exports = "prepared";\n');
  const lock = {
    name: "template",
    lockfileVersion: 3,
    packages: { "": {}, "node_modules/tiny-thing": { version: "1.2.3" } },
  };
  for (const path of ["", "/tiny-thing"]) chmodSync(modules + path, 0o777);
  for (const file of ["package.json", "index.js"])
    chmodSync(join(modules, "tiny-thing", file), 0o666);
  const expected = { dependencies: { "tiny-thing": "^1.2.0" }, devDependencies: {} };
  const made = await createPreparedTrees(join(cache, "trees")).add(
    {
      manager: "npm",
      wanted: expected,
      from: "template",
      scripts: false,
      shared: true,
      open: true,
    },
    modules,
    JSON.stringify(lock),
  );
  return made.modules;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-dependencies-"));
  chmodSync(folder, 0o755);
  tree = await prepare(join(folder, "cache"));
  driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const foldersOf = (name: string) => ({
  project: `${name}-${process.pid}`,
  directory: join(folder, name, "files"),
  stateDirectory: join(folder, name, "state"),
});
async function openNew(
  options = {},
): Promise<{ workspace: Workspace; place: ReturnType<typeof foldersOf> }> {
  const place = foldersOf(`dependencies-${++opened}`);
  return { workspace: await driver.open({ ...place, ...options }), place };
}
const outputOf = async (workspace: Workspace, command: string) =>
  (await workspace.run(command)).output;
const SAY = `node -p 'require("tiny-thing")'`;

describe.concurrent("prepared dependencies", () => {
  it("npm install mounts the packages of package.json, reports it, and writes the lock file", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    const install = await workspace.run("npm install");
    expect(install).toMatchObject({ kind: "exited", code: 0 });
    expect(install.output).toMatch(/added 1 packages? in \d+ms \(prepared by Treadle/);
    expect(await outputOf(workspace, SAY)).toBe("prepared\n");
    const lock = JSON.parse(
      Buffer.from(
        (await workspace.files.read(toProjectPath("package-lock.json"))).bytes,
      ).toString(),
    ) as { packages: object };
    expect(lock.packages).toHaveProperty(["node_modules/tiny-thing"]);
    expect((await workspace.run("npm install")).output).toContain("prepared by Treadle");
    await workspace.stop();
  });

  it("a project's writes into them stay its own: the tree and other projects are unchanged", async () => {
    const { workspace: first } = await openNew();
    const { workspace: second } = await openNew();
    for (const workspace of [first, second]) {
      await workspace.files.write(toProjectPath("package.json"), MANIFEST);
      await workspace.run("npm i");
    }
    await first.run(
      `echo 'module.exports = "poisoned"' > node_modules/tiny-thing/index.js; rm node_modules/tiny-thing/package.json; echo x > node_modules/new`,
    );
    expect(await outputOf(first, `node -p 'require("./node_modules/tiny-thing/index.js")'`)).toBe(
      "poisoned\n",
    );
    expect(await outputOf(second, SAY)).toBe("prepared\n");
    expect(readFileSync(join(tree, "tiny-thing/index.js"), "utf8")).toContain("prepared");
    expect(existsSync(join(tree, "new"))).toBe(false);
    await first.stop();
    await second.stop();
  });

  it("are there at the next start, with what was written into them", async () => {
    const { workspace, place } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm i; echo mine > node_modules/mine");
    await workspace.stop();
    const again = await driver.open(place);
    expect(await outputOf(again, `${SAY}; cat node_modules/mine`)).toBe("prepared\nmine\n");
    await again.stop();
  });

  it("Node's compile cache is stored beside them if the tree contains its folder, else nowhere", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.files.write(toProjectPath("more.mjs"), "export const more = 1;\n");
    const command = `node -e 'require("module").enableCompileCache(); import("./more.mjs")'; find node_modules/.cache -type f 2>/dev/null | wc -l`;
    await workspace.run("npm i");
    expect(await outputOf(workspace, command)).toBe("0\n");
    await workspace.run("mkdir -p node_modules/.cache/node-compile-cache");
    expect(Number(await outputOf(workspace, command))).toBeGreaterThan(0);
    await workspace.stop();
  });

  it("are visible to prove, and a build's writes into them are discarded", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm i");
    expect((await workspace.prove(`${SAY}; echo x > node_modules/.built`)).output).toBe(
      "prepared\n",
    );
    expect(await outputOf(workspace, "ls -A node_modules")).toBe("tiny-thing\n");
    await workspace.stop();
  });

  it("different names, an unmatched range or a different lock file are left to npm", async () => {
    const { workspace } = await openNew();
    const offline = "npm install --no-audit --silent --prefer-offline 2>&1 | head -c 200";
    for (const dependencies of [
      { "tiny-thing": "^2.0.0" },
      { "tiny-thing": "file:./x" },
      { "tiny-thing": "^1.2.0", "@treadle-none/other": "1.0.0" },
    ]) {
      await workspace.files.write(
        toProjectPath("package.json"),
        JSON.stringify({ name: "app", dependencies }),
      );
      expect(await outputOf(workspace, offline)).not.toContain("prepared");
    }
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.files.write(
      toProjectPath("package-lock.json"),
      JSON.stringify({
        lockfileVersion: 3,
        packages: { "node_modules/tiny-thing": { version: "1.2.9" } },
      }),
    );
    expect(await outputOf(workspace, offline)).not.toContain("prepared");
    await workspace.stop();
  });

  it("asks npm if a package is missing, instead of reporting all as installed", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run(
      "npm i; echo > node_modules/keeps-it-from-being-empty; rm -r node_modules/tiny-thing",
    );
    expect(
      await outputOf(workspace, "npm install --no-audit --silent 2>&1 | tail -1"),
    ).not.toContain("prepared");
    await workspace.stop();
  });

  it("A171 a command's writes into a package are known until it is installed again, also after another install and a restart", async () => {
    const { workspace, place } = await openNew();
    const changed = async (workspace: Workspace) =>
      (await workspace.changedDependencies!()).map(String);
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm i");
    expect(await changed(workspace)).toEqual([]);
    await workspace.run("mkdir -p node_modules/.vite; echo x > node_modules/.vite/cache");
    expect(await changed(workspace)).toEqual([]);
    await workspace.run(`echo 'module.exports = "poisoned"' > node_modules/tiny-thing/index.js`);
    const path = "node_modules/tiny-thing/index.js";
    expect(await changed(workspace)).toEqual([path]);
    await workspace.run("npm i");
    expect(await changed(workspace)).toEqual([path]);
    await workspace.stop();
    const again = await driver.open(place);
    expect(await changed(again)).toEqual([path]);
    await again.run("rm -rf node_modules; npm i");
    expect(await changed(again)).toEqual([]);
    // In the same command as an install that Treadle answers.
    await again.run("npm i; echo x > node_modules/tiny-thing/more.js");
    expect(await changed(again)).toEqual(["node_modules/tiny-thing/more.js"]);
    await again.stop();
  });

  it("leaves an additional package to npm, which writes it into the project's own layer", async () => {
    const { workspace, place } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.files.write(
      toProjectPath("more/package.json"),
      '{"name":"more","version":"1.0.0"}',
    );
    await workspace.files.write(toProjectPath("more/index.js"), 'module.exports = "more"');
    await workspace.run("npm i");
    const added = await workspace.run("npm install ./more --install-links=false --offline 2>&1");
    expect(added, added.output).toMatchObject({ kind: "exited", code: 0 });
    expect(await outputOf(workspace, `${SAY}; node -p 'require("more")'`)).toBe("prepared\nmore\n");
    expect(existsSync(join(tree, "more"))).toBe(false);
    await workspace.stop();
    const again = await driver.open(place);
    expect(await outputOf(again, `node -p 'require("more")'`)).toBe("more\n");
    await again.stop();
  });

  it("A20 a link at node_modules does not redirect the mount", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("mkdir elsewhere; ln -s /home/project/elsewhere node_modules");
    const install = await workspace.run("npm install --no-audit 2>&1 | tail -3");
    expect(install.output).not.toContain("prepared");
    expect(
      await outputOf(workspace, "ls elsewhere | wc -l; grep -c elsewhere /proc/self/mountinfo"),
    ).toBe("0\n0\n");
    await workspace.stop();
  });

  it("a released folder contains them, and belongs to its original owner", async () => {
    const { workspace, place } = await openNew({ handBack: true });
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run(
      "npm i; echo mine > node_modules/mine; cp /usr/bin/id node_modules/id; chmod 6777 node_modules/id; chmod 777 node_modules/mine; mkdir own; echo x > own/file; chmod 666 own/file; chmod 777 own .",
    );
    await workspace.stop();
    for (const path of ["", "own", "own/file"])
      expect(lstatSync(join(place.directory, path)).mode & 0o002, path).toBe(0);
    // A52: nobody else on the machine can write to it, or gain another user's rights from it.
    const entries = readdirSync(join(place.directory, "node_modules"), {
      recursive: true,
    }) as string[];
    expect(entries).toContain("tiny-thing/index.js");
    for (const entry of entries)
      expect(lstatSync(join(place.directory, "node_modules", entry)).mode & 0o6022, entry).toBe(0);
    expect(
      readFileSync(join(place.directory, "node_modules/tiny-thing/index.js"), "utf8"),
    ).toContain("prepared");
    expect(readFileSync(join(place.directory, "node_modules/mine"), "utf8")).toBe("mine\n");
    for (const path of ["", "package.json", "node_modules/tiny-thing/index.js"])
      expect(lstatSync(join(place.directory, path)).uid).toBe(process.getuid?.());
    const again = await driver.open({ ...place, handBack: true });
    expect(await outputOf(again, SAY)).toBe("prepared\n");
    await again.stop();
  });

  it("can be removed with rm -rf node_modules and installed again", async () => {
    const { workspace } = await openNew();
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm i");
    const again = await workspace.run(
      `rm -rf node_modules package-lock.json && npm install && ${SAY}`,
    );
    expect(again).toMatchObject({ kind: "exited", code: 0 });
    expect(again.output).toContain("prepared\n");
    await workspace.stop();
  });

  it("a link at node_modules on the host is not followed when the project is opened", async () => {
    const place = foldersOf(`dependencies-${++opened}`);
    mkdirSync(place.directory, { recursive: true });
    mkdirSync(join(folder, "target"));
    symlinkSync(join(folder, "target"), join(place.directory, "node_modules"));
    const workspace = await driver.open(place);
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm install 2>&1 | tail -1");
    expect(existsSync(join(folder, "target/tiny-thing"))).toBe(false);
    await workspace.stop();
  });
});
