/** A project's lock file and install scripts cannot affect another project. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPreparedTrees } from "../dependencies/prepared-trees.ts";
import type { FetchedManagers } from "../dependencies/fetched-managers.ts";
import { createTreeMaker } from "../dependencies/tree-maker.ts";
import type { OpenOptions } from "../types.ts";
import { createLocalDriver } from "./driver.ts";
import {
  asking,
  cache,
  driver,
  env,
  folder,
  project,
  registry,
  text,
  useInstalls,
} from "./installs.test-support.ts";

useInstalls();

describe("npm install", () => {
  it("uses a project's lock file for that project only", async () => {
    const { asked } = registry;
    // Another archive under a known name, and an old version within a range that others request.
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

  it("A47 an install script's changes to the lock file do not bring code into another project", async () => {
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

  it("A47 a tree in which an install script changed other packages is not shared", async () => {
    const asked = asking({ lefty: "1.0.0", meddler: "1.0.0" });
    await project(asked, async (inside) => {
      const output = await inside("npm install");
      expect(output).toContain(
        "For this project alone: an install script changed lefty/index.js, which is not its own.",
      );
      expect(output).toContain("added 2 packages");
    });
    const read = createPreparedTrees(join(cache(), "trees")).shared();
    expect(read.filter(({ wanted: expected }) => expected.dependencies.meddler)).toEqual([]);
    await project(asking({ lefty: "1.0.0" }), async (inside) => {
      await inside("npm install");
      expect(await inside(`node -p 'require("lefty")'`)).toBe("honest\n");
    });
  });

  it("A47 concurrent installs of two projects get separate trees if an install script changed other packages", async () => {
    const trees = createPreparedTrees(join(folder, "at-once/trees"));
    // npm comes with Treadle.
    const tools = {} as FetchedManagers;
    const parts = { trees, tools, folder: join(folder, "at-once/preparing"), limit: 1e9 };
    const open = (options: OpenOptions) => driver.open(options);
    const maker = createTreeMaker({ ...parts, open, isOverlaid: async () => true });
    const dependencies = { lefty: "1.0.0", meddler: "1.0.0" };
    const expected = { dependencies, devDependencies: {} };
    const order = { manager: "npm", wanted: expected, lock: undefined, from: "manifest" } as const;
    const made = await Promise.all([maker.make(order), maker.make(order)]);
    for (const one of made) expect(one).toHaveProperty("alone");
    expect(trees.all()).toHaveLength(2);
  });

  it("A37 files left in the folder for preparing trees count towards its total limit", async () => {
    const trees = createPreparedTrees(join(folder, "counted/trees"));
    const scratch = join(folder, "counted/preparing");
    const maker = createTreeMaker({
      trees,
      tools: {} as FetchedManagers,
      folder: scratch,
      limit: 8e6,
      open: (options: OpenOptions) => driver.open(options),
      isOverlaid: async () => true,
    });
    const make = (name: string) =>
      maker.make({
        manager: "npm",
        wanted: { dependencies: { [name]: "1.0.0" }, devDependencies: {} },
        lock: undefined,
        from: "manifest",
      });
    await make("one");
    expect(trees.all()).toHaveLength(1);
    // Simulates the leftovers of an install that could not be removed.
    mkdirSync(join(scratch, "left"), { recursive: true });
    writeFileSync(join(scratch, "left/big"), Buffer.alloc(9e6, 1));
    await make("lefty");
    expect(trees.all()).toEqual([]);
  });

  it("A47 a project without a lock file gets its install scripts run again, or the output of scripts from identical archives", async () => {
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

  it("A37 an install script's output is read in pieces, and not at all if it is too large", async () => {
    await project(asking({ sparse: "1.0.0" }), async (inside) => {
      const output = await inside("npm install");
      expect(output).toContain("For this project alone: ");
      expect(output).toContain("added 1 package");
      expect(await inside("stat -c %s node_modules/sparse/big0")).toBe("3000000000\n");
    });
  });
});
