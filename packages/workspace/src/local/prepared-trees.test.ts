/** Prepared trees as used by projects. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPreparedTrees } from "../dependencies/prepared-trees.ts";
import { keepWithin } from "../dependencies/tree-limit.ts";
import { createLocalDriver } from "./driver.ts";
import {
  asking,
  cache,
  driver,
  env,
  folder,
  project,
  registry,
  useInstalls,
} from "./installs.test-support.ts";

useInstalls();

describe("npm install", () => {
  it("a prepared tree cannot be written from inside in any way", async () => {
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
      const output = await inside(`
        echo poisoned > node_modules/one/index.js; ln node_modules/one/package.json node_modules/one/linked
        chmod 777 node_modules/one; rm -f node_modules/one/package.json; echo x > node_modules/one/new
        grep -o 'lowerdir=[^, ]*' /proc/self/mountinfo | cut -d= -f2 | tr : '\\n' > lowers
        for lower in $(cat lowers) ${join(cache(), "trees")}; do
          (echo poisoned > $lower/one/index.js) 2>&1; ls $lower 2>&1; ls /proc/1/root$lower 2>&1
        done
        mount -o remount,rw /home/project/node_modules 2>&1; umount node_modules 2>&1; echo tried`);
      expect(output).toContain("tried");
      expect(read()).toEqual(before);
    });
  });
});

it("an install that completed a prepared tree is prepared for the next identical project", async () => {
  const cacheDirectory = join(folder, "cache-next");
  const own = createLocalDriver({ cacheDirectory, env: env(), quietMs: 0 });
  const trees = createPreparedTrees(join(cacheDirectory, "trees"));
  const both = asking({ one: "^1.0.0", two: "1.0.0" });
  try {
    await project(asking({ one: "^1.0.0" }), async (inside) => void (await inside("npm install")), own); // prettier-ignore
    await project(both, async (inside) => expect(await inside("npm install")).toContain("npm brings the rest"), own); // prettier-ignore
    await expect.poll(() => trees.shared().length, { timeout: 60_000 }).toBe(2);
    const before = registry.asked.length;
    await project(
      both,
      async (inside) => {
        expect(await inside("npm install")).toMatch(/added 2 packages in .*prepared by Treadle/);
        expect(await inside(`node -p 'require("one") + require("two")'`)).toBe("one 1.1.0two\n");
      },
      own,
    );
    expect(registry.asked).toHaveLength(before);
  } finally {
    await own.close();
  }
});

describe("prepared trees on this machine", () => {
  it.each(["link", "copy"] as const)(
    "without overlay, are put in place by %s, and stay unchanged",
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

  it("are not removed while in use; a removed one is prepared again for a project that needs it", async () => {
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
    expect(trees.all().map(({ wanted: expected }) => Object.keys(expected.dependencies))).toEqual([
      ["two"],
    ]);
    await workspace.stop();
    await keepWithin(trees, 0);
    expect(trees.all()).toEqual([]);
    const again = await driver.open(place);
    expect((await again.run(`node -p 'require("two")'; cat node_modules/mine`)).output).toBe(
      "two\nmine\n",
    );
    await again.stop();
  });

  it("the doctor reports how they are mounted, and their size", async () => {
    const { checks } = await driver.probe();
    expect(checks.find(({ name }) => name === "dependencies")?.detail).toMatch(
      /^(mounted by overlay|linked|copied).*; \d+ prepared, \d+ of 8192 MB \(TREADLE_DEPENDENCY_CACHE_MB\)/,
    );
  });
});
