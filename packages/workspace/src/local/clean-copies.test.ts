/** Copies as a project would be handed over: its own files, and what an install of them puts beside. */
import { expect, it } from "vitest";
import { asking, project, registry, text, useInstalls } from "./installs.test-support.ts";

useInstalls();

it("has no packages, caches and builds of the project, and its sources, secrets and data", async () => {
  const files = {
    ...asking({ one: "1.0.0" }),
    "src/app.js": "1",
    ".env": "A=1",
    ".data/rows.json": "[]",
    "api/package.json": { name: "api" },
  };
  await project(files, async (inside, workspace) => {
    await inside("npm install");
    await inside(
      "mkdir -p dist .cache node_modules/.vite api/node_modules/two src/build; touch dist/a .cache/b node_modules/.vite/c api/node_modules/two/index.js src/build/d",
    );
    const copy = await workspace.copy!({ clean: true });
    const { output } = await copy.run("find . -type f | sort");
    expect(output.trim().split("\n")).toEqual([
      "./.data/rows.json",
      "./.env",
      "./api/package.json",
      "./package-lock.json",
      "./package.json",
      "./src/app.js",
      "./src/build/d",
    ]);
    await copy.stop();
    expect(await inside("ls dist node_modules")).toContain("one");
  });
});

it("an install in it is what the lock file names, is not asked of the registry again, and stays in it", async () => {
  await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
    await inside("npm install");
    await inside("echo 'module.exports = \"changed\"' > node_modules/one/index.js");
    const before = registry.asked.length;
    const copy = await workspace.copy!({ clean: true });
    const exit = await copy.run("npm ci");
    expect(exit).toMatchObject({ kind: "exited", code: 0 });
    expect((await copy.run(`node -p 'require("one")'`)).output).toBe("one 1.1.0\n");
    await copy.run("echo x > node_modules/made");
    await copy.stop();
    expect(registry.asked.slice(before)).toEqual([]);
    expect(await inside(`node -p 'require("one")'; ls node_modules`)).toBe("changed\none\n");
    expect(await text(workspace, "package-lock.json")).toContain("1.1.0");
  });
});

it("an install of packages below comes from what was fetched for the project before", async () => {
  const files = {
    "package.json": { name: "app", version: "1.0.0" },
    "api/package.json": { name: "api", version: "1.0.0", dependencies: { one: "1.0.0" } },
  };
  await project(files, async (inside, workspace) => {
    await inside("npm --prefix api install");
    const copy = await workspace.copy!({ clean: true });
    expect((await copy.run("ls api")).output).not.toContain("node_modules");
    const exit = await copy.run("cd api && npm ci --prefer-offline");
    expect([exit.kind, exit.output]).toEqual([
      "exited",
      expect.stringContaining("added 1 package"),
    ]);
    await copy.stop();
  });
});

it("is told from a project whose packages are those of its lock file alone", async () => {
  await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
    expect(await workspace.isAsLocked!()).toBe(false);
    await inside("npm install");
    expect(await workspace.isAsLocked!()).toBe(true);
    await inside("npm install --no-save two");
    expect(await workspace.isAsLocked!()).toBe(false);
  });
  await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
    await inside("npm install");
    await inside("echo 1 > node_modules/one/index.js");
    expect(await workspace.isAsLocked!()).toBe(false);
  });
});

it("is proven anew once a package manager ran by itself: what the command did besides is not known", async () => {
  await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
    await inside("npm install");
    workspace.proofs!.set("key", "clean");
    expect(await workspace.isAsLocked!()).toBe(true);
    await inside("npm rebuild; echo 'module.exports = 1' > node_modules/one/index.js");
    expect(await workspace.isAsLocked!()).toBe(false);
    expect(workspace.proofs!.get("key")).toBeUndefined();
    await inside("rm -rf node_modules; npm ci");
    expect(await workspace.isAsLocked!()).toBe(true);
  });
});

it("keeps outcomes of proofs with the project, the newest twenty", async () => {
  await project({ "package.json": {} }, async (_inside, { proofs }) => {
    for (let number = 0; number < 25; number++) proofs!.set(`key ${number}`, "clean");
    expect([proofs!.get("key 4"), proofs!.get("key 24")]).toEqual([undefined, "clean"]);
  });
});
