/** What package managers do when they are typed inside, against a registry of a few tiny packages. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  startRegistry,
  type FakePackage,
  type FakeRegistry,
} from "../attacks/pretended-registry.ts";
import { createPreparedTrees } from "../dependencies/prepared-trees.ts";
import type { Tools } from "../dependencies/tools.ts";
import { keepWithin } from "../dependencies/tree-limit.ts";
import { createTreeMaker } from "../dependencies/tree-maker.ts";
import { MANAGERS } from "../package-managers/managers.ts";
import type { OpenOptions, Workspace, WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();
/** Each of these runs several package managers, one after the other, also where many others want the machine. */
vi.setConfig({ testTimeout: 150_000 });

/** Does what a package manager does, as far as it matters here: says so, and writes its lock file. */
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
  {
    // Once it has been installed under another's name, it makes the lock file say that it is that other.
    name: "evil",
    version: "1.0.0",
    fields: { scripts: { postinstall: "node start.js" } },
    files: {
      ...js("evil"),
      "start.js": `
const { execSync, spawn } = require("child_process");
const { integrity, tarball } = JSON.parse(execSync("npm view lefty@1.0.0 dist --json"));
spawn(process.execPath, [__dirname + "/helper.js", integrity, tarball], { detached: true, stdio: "ignore" }).unref();`,
      "helper.js": `
const fs = require("fs");
const [, , integrity, resolved] = process.argv;
for (;;)
  try {
    const lock = JSON.parse(fs.readFileSync("/home/project/package-lock.json", "utf8"));
    const entry = lock.packages["node_modules/lefty"];
    if (entry.integrity === integrity && !entry.name) continue;
    lock.packages["node_modules/lefty"] = { version: "1.0.0", resolved, integrity };
    lock.packages[""].dependencies = { lefty: "1.0.0" };
    fs.writeFileSync("/home/project/package-lock.json.new", JSON.stringify(lock));
    fs.renameSync("/home/project/package-lock.json.new", "/home/project/package-lock.json");
  } catch {}`,
    },
  },
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

let folder: string;
let registry: FakeRegistry;
let driver: WorkspaceDriver;
let opened = 0;
const cache = () => join(folder, "cache");
const env = () => ({ PATH: process.env.PATH, HOME: folder, npm_config_registry: registry.url });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-install-"));
  chmodSync(folder, 0o755);
  registry = await startRegistry(PACKAGES);
  driver = createLocalDriver({ cacheDirectory: cache(), env: env() });
});
afterAll(async () => {
  await driver.close();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

type Inside = (command: string) => Promise<string>;

/** A project with these files; `inside` gives what a command printed. */
async function project(
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
const asking = (dependencies: Record<string, string>) => ({
  "package.json": { name: "app", version: "1.0.0", dependencies },
});
const text = async (workspace: Workspace, path: string) =>
  Buffer.from((await workspace.files.read(toProjectPath(path))).bytes).toString();

describe("npm install", () => {
  it("what nobody has prepared is made once; the next project has it without the registry", async () => {
    let lock = "";
    await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
      expect(await inside("npm install")).toMatch(
        /added 1 package in \d+ms \(by npm in a sandbox of its own, versions as in package-lock/,
      );
      expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
      lock = await text(workspace, "package-lock.json");
      expect(JSON.parse(lock)).toMatchObject({ name: "app", packages: { "": { name: "app" } } });
      expect(await inside("npm i")).toContain("up to date, 1 package (prepared by Treadle)");
    });
    const before = registry.asked.length;
    await project(asking({ one: "^1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toContain("(prepared by Treadle");
    });
    await project({ ...asking({ one: "^1.0.0" }), "package-lock.json": lock }, async (inside) => {
      expect(await inside("npm ci")).toContain("(prepared by Treadle");
      expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
      await inside("echo mine > node_modules/mine");
      expect(await inside("npm ci && ls node_modules")).toMatch(/prepared by Treadle.*\none\n/s);
    });
    expect(registry.asked.slice(before)).toEqual([]);
  });

  it("a package more costs only that package", async () => {
    await project(asking({ one: "^1.0.0" }), (inside) => inside("npm install").then(() => {}));
    const before = registry.asked.length;
    await project(asking({ one: "^1.0.0", two: "1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toMatch(
        /1 package in place after \d+ms \(prepared by Treadle\); npm brings the rest\s+added 1 package/,
      );
      expect(await inside(`node -p 'require("one") + require("two")'`)).toBe("one 1.1.0two\n");
    });
    await project(asking({ one: "^1.0.0" }), async (inside) => {
      expect(await inside("npm install two")).toMatch(
        /added 1 package in .*prepared.*added 1 package/s,
      );
      expect(await inside("npm ls --depth=0")).toMatch(/one@1\.1\.0\n.*two@1\.0\.0/);
    });
    expect(registry.asked.slice(before).filter((path) => !path.startsWith("/two"))).toEqual([]);
  });

  it("a project's lock file decides for itself alone", async () => {
    const { asked } = registry;
    // Another archive under a known name, and an old version within the range that others ask for.
    await project(asking({ other: "1.0.0" }), async (inside, workspace) => {
      await inside("npm install");
      const lock = JSON.parse(await text(workspace, "package-lock.json")) as {
        packages: Record<string, { integrity: string }>;
      };
      const { integrity } = lock.packages["node_modules/other"]!;
      const entry = {
        version: "1.0.0",
        resolved: `${registry.url}other/-/other-1.0.0.tgz`,
        integrity,
      };
      const forged = (version: string, changed: object) => ({
        name: "app",
        lockfileVersion: 3,
        packages: {
          "": { dependencies: { one: "^1.0.0" } },
          "node_modules/one": { version, ...changed },
        },
      });
      await project(
        { ...asking({ one: "^1.0.0" }), "package-lock.json": forged("1.1.0", entry) },
        (forger) => forger("npm install").then(() => {}),
      );
      await project(
        { ...asking({ one: "^1.0.0" }), "package-lock.json": forged("1.0.0", {}) },
        async (old) => {
          await old("npm install");
          expect(await old(`node -p 'require("one")'`)).toBe("one 1.0.0\n");
        },
      );
    });
    for (const files of [
      asking({ one: "^1.0.0" }),
      asking({ one: ">=1" }),
      asking({ one: "^1.0.0", two: "^1.0.0" }),
    ])
      await project(files, async (inside) => {
        await inside("npm install");
        expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
      });
    expect(asked.length).toBeGreaterThan(0);
  });

  it("A34 an install script sees nothing of the project, and reaches no other tree", async () => {
    await project(
      { ...asking({ two: "^1.0.0", scripted: "1.0.0" }), "secret.txt": "secret", ".env": "KEY=1" },
      async (inside) => {
        expect(await inside("rm -rf node_modules; npm install")).toContain("added");
        expect(await inside("cat node_modules/scripted/seen 2>&1")).not.toContain("secret");
      },
    );
    await project(asking({ two: "^1.0.0" }), async (inside) => {
      await inside("npm install");
      expect(await inside("ls node_modules/two")).toBe("index.js\npackage.json\n");
    });
  });

  it("A47 one project's code does not come into another by what an install script leaves in the lock file", async () => {
    let honest = "";
    await project(asking({ lefty: "1.0.0" }), async (inside, workspace) => {
      await inside("npm install --ignore-scripts --prefer-online");
      honest = await text(workspace, "package-lock.json");
    });
    const other = createLocalDriver({ cacheDirectory: join(folder, "cache-47"), env: env() });
    try {
      await project(
        asking({ lefty: "npm:evil@1.0.0" }),
        (inside) => inside("npm install").then(() => {}),
        other,
      );
      for (const command of ["npm install", "npm ci"])
        await project(
          { ...asking({ lefty: "1.0.0" }), "package-lock.json": honest },
          async (inside) => {
            expect(await inside(command)).toContain("added 1 package");
            expect(await inside(`node -p 'require("lefty")'`)).toBe("honest\n");
          },
          other,
        );
    } finally {
      await other.close();
    }
  });

  it("A47 a tree in which an install script changed what is not its own is nobody else's", async () => {
    const asked = asking({ lefty: "1.0.0", meddler: "1.0.0" });
    await project(asked, async (inside) => {
      const said = await inside("npm install");
      expect(said).toContain(
        "For this project alone: an install script changed lefty/index.js, which is not its own.",
      );
      expect(said).toContain("added 2 packages");
    });
    const read = createPreparedTrees(join(cache(), "trees")).shared();
    expect(read.filter(({ wanted }) => wanted.dependencies.meddler)).toEqual([]);
    await project(asking({ lefty: "1.0.0" }), async (inside) => {
      await inside("npm install");
      expect(await inside(`node -p 'require("lefty")'`)).toBe("honest\n");
    });
  });

  it("A47 two projects that ask at once each have a tree of their own where an install script meddled", async () => {
    const trees = createPreparedTrees(join(folder, "at-once/trees"));
    // npm comes with Treadle.
    const tools = {} as Tools;
    const parts = { trees, tools, folder: join(folder, "at-once/preparing"), limit: 1e9 };
    const open = (options: OpenOptions) => driver.open(options);
    const maker = createTreeMaker({ ...parts, open, isOverlaid: async () => true });
    const dependencies = { lefty: "1.0.0", meddler: "1.0.0" };
    const wanted = { dependencies, devDependencies: {} };
    const order = { manager: "npm", wanted, lock: undefined, from: "manifest" } as const;
    const made = await Promise.all([maker.make(order), maker.make(order)]);
    for (const one of made) expect(one).toHaveProperty("alone");
    expect(trees.all()).toHaveLength(2);
  });

  it("A47 a project without a lock file has its install scripts run anew, or what the very same archives' wrote", async () => {
    const asked = asking({ scripted: "1.0.0", one: "1.0.0" });
    let lock = "";
    await project(asked, async (inside, workspace) => {
      expect(await inside("npm install")).toContain("in a sandbox of its own");
      lock = await text(workspace, "package-lock.json");
    });
    await project(asked, async (inside, workspace) => {
      expect(await inside("npm install")).toContain("in a sandbox of its own");
      expect(await text(workspace, "package-lock.json")).toBe(lock);
    });
    await project({ ...asked, "package-lock.json": lock }, async (inside) => {
      expect(await inside("npm install")).toContain("(prepared by Treadle");
    });
  });

  it("A37 what an install script leaves is read a piece at a time, and not at all where it seems to have no end", async () => {
    await project(asking({ sparse: "1.0.0" }), async (inside) => {
      const said = await inside("npm install");
      expect(said).toContain("For this project alone: ");
      expect(said).toContain("added 1 package");
      expect(await inside("stat -c %s node_modules/sparse/big0")).toBe("3000000000\n");
    });
  });

  it("a prepared tree cannot be written from inside by any way", async () => {
    const read = () =>
      createPreparedTrees(join(cache(), "trees"))
        .all()
        .flatMap(({ modules }) =>
          existsSync(join(modules, "one/index.js"))
            ? [
                readFileSync(join(modules, "one/index.js"), "utf8"),
                ...readdirSync(join(modules, "one")),
              ]
            : [],
        );
    await project(asking({ one: "^1.0.0" }), async (inside) => {
      await inside("npm install");
      const before = read();
      const said = await inside(`
        echo poisoned > node_modules/one/index.js; ln node_modules/one/package.json node_modules/one/linked
        chmod 777 node_modules/one; rm -f node_modules/one/package.json; echo x > node_modules/one/new
        grep -o 'lowerdir=[^, ]*' /proc/self/mountinfo | cut -d= -f2 | tr : '\\n' > lowers
        for lower in $(cat lowers) ${join(cache(), "trees")}; do
          (echo poisoned > $lower/one/index.js) 2>&1; ls $lower 2>&1; ls /proc/1/root$lower 2>&1
        done
        mount -o remount,rw /home/project/node_modules 2>&1; umount node_modules 2>&1; echo tried`);
      expect(said).toContain("tried");
      expect(read()).toEqual(before);
    });
  });

  it("what npm refuses is npm's own word and exit code, and is asked once", async () => {
    await project(asking({ "is-not-there": "1.0.0" }), async (_inside, workspace) => {
      const before = registry.asked.length;
      const exit = await workspace.run("npm install");
      expect(exit).toMatchObject({ kind: "exited", code: 1 });
      expect(exit.output).toContain("E404");
      expect(registry.asked.length - before).toBe(1);
    });
  });

  it("F17 who gives up waiting ends what was done for it", async () => {
    await project(asking({ one: "1.0.0", other: "^1.0.0" }), async (inside, workspace) => {
      const { asked, gone } = registry.hang();
      const stop = new AbortController();
      const install = workspace.run("npm install", { signal: stop.signal });
      await asked;
      stop.abort();
      expect((await install).kind).toBe("aborted");
      await gone;
      registry.answers();
      expect(await inside("npm install")).toContain("added 2 packages");
    });
  });

  it("what only npm can do is left to it, and why is said", async () => {
    const own = { name: "app", version: "1.0.0" };
    const inner = { name: "inner", version: "1.0.0" };
    for (const [files, why] of [
      [
        { "package.json": { ...own, workspaces: ["in"] }, "in/package.json": inner },
        "has workspaces",
      ],
      [
        {
          "package.json": { ...own, dependencies: { inner: "file:./in" } },
          "in/package.json": inner,
        },
        "inner is not from the registry (file:./in)",
      ],
      [
        {
          "package.json": {
            ...own,
            dependencies: { one: "1.0.0" },
            scripts: { postinstall: "echo mine > mine" },
          },
        },
        'has a script "postinstall"',
      ],
      [{ ...asking({ one: "1.0.0" }), ".npmrc": "save-exact=true\n" }, "the project has a .npmrc"],
    ] as const)
      await project(files, async (_inside, workspace) => {
        const exit = await workspace.run("npm install");
        expect(exit).toMatchObject({ kind: "exited", code: 0 });
        expect(exit.output).toMatch(/^Left to npm: /);
        expect(exit.output).toContain(why);
      });
    await project(
      {
        ...asking({ one: "1.0.0" }),
        "sub/package.json": { ...own, dependencies: { two: "1.0.0" } },
      },
      async (inside) => {
        expect(await inside("cd sub && npm install && ls node_modules")).toMatch(
          /added 1 .*\ntwo\n$/s,
        );
        expect(await inside("npm ci 2>&1 | head -3")).toContain("npm error");
      },
    );
  });
});

describe("a command that is a script or an install and nothing else", () => {
  it("does what it does as a part of another one", async () => {
    const scripts = {
      say: "echo $npm_lifecycle_event $npm_package_name; echo error >&2; exit 3",
      shell: "echo $0",
      prehook: "echo before",
      hook: "echo hook",
    };
    await project({ "package.json": { name: "app", scripts } }, async (inside, workspace) => {
      for (const name of ["say", "shell", "hook"]) {
        const alone = await workspace.run(`npm run ${name}`);
        const among = await workspace.run(`true; npm run ${name}`);
        expect(alone, name).toMatchObject({
          kind: "exited",
          code: among.kind === "exited" && among.code,
          output: among.output,
        });
      }
      expect(await inside("npm run say")).toMatch(/> app@ say\n.*\n\nsay app\nerror\n$/s);
      expect(await inside("npm run hook")).toMatch(/before\n.*hook\n$/s);
      expect(await inside("npm run is-not-there")).toContain("Missing script");
    });
    await project(asking({ one: "1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toMatch(/^\nadded 1 package in/);
      expect(await inside("npm install; echo $?")).toMatch(/^\nup to date, 1 package .*\n0\n$/);
      expect(await inside("NODE_ENV=production; npm install")).toContain("up to date");
    });
  });

  it("A20 A22 a package.json that is a link, never ends or is no JSON holds nobody up", async () => {
    await project({ kept: "kept" }, async (inside, workspace) => {
      for (const make of [
        "mkfifo package.json",
        "ln -s /etc/hostname package.json",
        "ln -s . package.json",
        "echo null > package.json",
        "echo '[1]' > package.json",
        `echo '{"scripts":[1],"name":{}}' > package.json`,
      ]) {
        await inside(`rm -rf package.json; ${make}`);
        // What npm itself makes of it is its own business, and it may wait for ever; nobody else does.
        const gone = new AbortController();
        const asked = workspace.run("npm run dev", { signal: gone.signal });
        expect(await text(workspace, "kept"), make).toBe("kept");
        gone.abort();
        await asked;
      }
    });
  });
});

describe("other package managers", () => {
  it("pnpm is fetched once, installs in a sandbox of its own, and npm install in its project is pnpm's", async () => {
    const files = { ...asking({ one: "1.0.0" }), "pnpm-lock.yaml": "by: hand\n" };
    await project(files, async (inside, workspace) => {
      expect(await inside("npm install")).toMatch(
        /^This is a project of pnpm, so pnpm is what runs: pnpm install\n\nadded 1 package in \d+ms \(by pnpm/,
      );
      expect(await text(workspace, "pnpm-lock.yaml")).toBe("by: pnpm\n");
      expect(await inside("pnpm add two")).toBe("this is pnpm add two\n");
      expect(await inside("npm install -D three")).toContain("this is pnpm add -D three");
      expect(await inside("ls node_modules")).toBe("one\nthree\ntwo\n");
      expect(await inside("echo x > /run/treadle/tools/x 2>&1 || echo refused")).toContain(
        "refused",
      );
    });
    await project(files, async (inside) => {
      expect(await inside("pnpm i")).toContain("(prepared by Treadle");
    });
    expect(
      registry.asked.filter((path) => path.endsWith(".tgz") && path.includes("pnpm")),
    ).toHaveLength(1);
  });

  it("scripts run without loading the manager; corepack says that it is not needed", async () => {
    const scripts = { hello: "echo hello" };
    await project({ "package.json": { name: "app", scripts } }, async (inside) => {
      for (const command of [
        "pnpm hello",
        "pnpm run hello",
        "yarn hello",
        "bun run hello",
        "npm run hello",
      ])
        expect(await inside(command), command).toMatch(/> echo hello\n\nhello\n$/);
      expect(await inside("corepack enable")).toContain("are here without it");
    });
  });
});

describe("prepared trees on this machine", () => {
  it.each(["link", "copy"] as const)(
    "without overlay they are put in place by %s, and stay as they are",
    async (treeWay) => {
      const own = createLocalDriver({
        cacheDirectory: join(folder, `cache-${treeWay}`),
        env: env(),
        treeWay,
      });
      try {
        const trees = createPreparedTrees(join(folder, `cache-${treeWay}/trees`));
        await project(
          asking({ one: "^1.0.0" }),
          async (inside) => {
            expect(await inside("npm install")).toContain("added 1 package");
            expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
            await inside(
              "echo poisoned >> node_modules/one/index.js; chmod 777 node_modules/one/*; echo poisoned >> node_modules/one/index.js; mkdir node_modules/.vite; rm node_modules/one/package.json; echo mine > node_modules/one/mine",
            );
            expect(await inside("ls -A node_modules node_modules/one")).toBe(
              "node_modules:\n.cache\n.package-lock.json\n.vite\none\n\nnode_modules/one:\nindex.js\nmine\n",
            );
          },
          own,
        );
        const [tree] = trees.all();
        expect(readdirSync(join(tree!.modules, "one")).sort()).toEqual([
          "index.js",
          "package.json",
        ]);
        expect(readFileSync(join(tree!.modules, "one/index.js"), "utf8")).not.toContain("poisoned");
      } finally {
        await own.close();
      }
    },
  );

  it("one that is in use is not removed; one that was, is made again for whoever comes back", async () => {
    const trees = createPreparedTrees(join(cache(), "trees"));
    const name = `install-${process.pid}-back`;
    const place = {
      project: name,
      directory: join(folder, name, "files"),
      stateDirectory: join(folder, name, "state"),
    };
    const workspace = await driver.open(place);
    await workspace.files.write(
      toProjectPath("package.json"),
      JSON.stringify(asking({ two: "^1.0.0" })["package.json"]),
    );
    await workspace.run("npm install; echo mine > node_modules/mine");
    await keepWithin(trees, 0);
    expect(
      (await workspace.run("cat node_modules/two/index.js node_modules/mine")).output,
    ).toContain("mine");
    expect(trees.all().map(({ wanted }) => Object.keys(wanted.dependencies))).toEqual([["two"]]);
    await workspace.stop();
    await keepWithin(trees, 0);
    expect(trees.all()).toEqual([]);
    const again = await driver.open(place);
    expect((await again.run(`node -p 'require("two")'; cat node_modules/mine`)).output).toBe(
      "two\nmine\n",
    );
    await again.stop();
  });

  it("the doctor says how they come into projects, and what they take", async () => {
    const { checks } = await driver.probe();
    expect(checks.find(({ name }) => name === "dependencies")?.detail).toMatch(
      /^(mounted by overlay|linked|copied).*; \d+ prepared, \d+ of 8192 MB \(TREADLE_DEPENDENCY_CACHE_MB\)/,
    );
  });
});
