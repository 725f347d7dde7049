/**
 * Copies of a project in the state in which it would be handed over: its own files and a fresh
 * install.
 */
import { expect, it } from "vitest";
import { asking, project, registry, text, useInstalls } from "./installs.test-support.ts";

useInstalls();

it("contains the project's sources, secrets and data, but no packages, caches or builds", async () => {
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

it("installs what the lock file names, without asking the registry again, and keeps it to the copy", async () => {
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

it("installs packages of workspaces from the project's earlier downloads", async () => {
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

it("is distinguished from a project whose packages exactly match its lock file", async () => {
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

it("is proven again after a package manager ran inside a larger command, whose other effects are unknown", async () => {
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

it("stores the newest twenty outcomes of proofs with the project", async () => {
  await project({ "package.json": {} }, async (_inside, { proofs }) => {
    for (let number = 0; number < 25; number++) proofs!.set(`key ${number}`, "clean");
    expect([proofs!.get("key 4"), proofs!.get("key 24")]).toEqual([undefined, "clean"]);
  });
});
