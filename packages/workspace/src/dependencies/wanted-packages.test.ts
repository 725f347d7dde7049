import { expect, it } from "vitest";
import { canonical, countOf, everyRange, readWanted, workspaceFolders } from "./wanted-packages.ts";

const read = (manifest: object) => readWanted(JSON.stringify(manifest));

it("reads names, ranges and all other fields that affect an install", () => {
  expect(
    read({
      name: "app",
      scripts: { build: "tsc" },
      dependencies: { a: "^1.0.0", "@s/b": "latest", c: "npm:d@^2" },
      devDependencies: { e: "*" },
      overrides: { a: "1.0.1" },
    }),
  ).toEqual({
    wanted: {
      dependencies: { a: "^1.0.0", "@s/b": "latest", c: "npm:d@^2" },
      devDependencies: { e: "*" },
      more: { overrides: { a: "1.0.1" } },
    },
  });
  expect(readWanted("\uFEFF{}")).toEqual({ wanted: { dependencies: {}, devDependencies: {} } });
});

it("leaves what only the package manager can do to it, with the reason", () => {
  for (const [manifest, why] of [
    [{ workspaces: ["a"] }, "a/package.json cannot be read"],
    [{ workspaces: ["a/*"] }, "package.json has workspaces that have to be looked for"],
    [{ workspaces: ["../a"] }, "package.json has workspaces that have to be looked for"],
    [{ workspaces: { packages: ["a"] } }, "package.json has workspaces that have to be looked for"],
    [{ bundleDependencies: ["a"] }, "package.json has bundleDependencies"],
    [{ scripts: { prepare: "husky" } }, 'package.json has a script "prepare"'],
    [{ dependencies: { a: "file:../a" } }, "a is not from the registry (file:../a)"],
    [
      { dependencies: { a: "git+https://example.com/a.git" } },
      "a is not from the registry (git+https://example.com/a.git)",
    ],
    [{ dependencies: { a: "someone/a" } }, "a is not from the registry (someone/a)"],
    [{ devDependencies: { a: "workspace:*" } }, "a is not from the registry (workspace:*)"],
    [{ optionalDependencies: { a: "link:./a" } }, "a is not from the registry (link:./a)"],
    [
      { overrides: { a: "file:./a" } },
      "package.json replaces a package by what is not from the registry",
    ],
    [{ dependencies: { "../a": "1.0.0" } }, '"../a" is no package of the registry'],
  ] as const)
    expect(read(manifest)).toEqual({ left: why });
  expect(readWanted("{")).toEqual({ left: "package.json is no JSON" });
  expect(readWanted("[]")).toEqual({ left: "package.json holds no object" });
});

it("A46 treats a package named __proto__ like any other name", () => {
  expect(readWanted('{"dependencies":{"__proto__":"1.0.0"}}')).toEqual({
    left: '"__proto__" is no package of the registry',
  });
});

it("produces the same text for the same request in another order", () => {
  expect(canonical({ b: { d: 1, c: [2, 1] }, a: 0 })).toBe(
    canonical({ a: 0, b: { c: [2, 1], d: 1 } }),
  );
  expect(canonical({ a: 1 })).not.toBe(canonical({ a: 2 }));
});

it("includes the requirements of workspaces", () => {
  const root = JSON.stringify({ workspaces: ["./web/", "apps/api"], dependencies: { a: "1.0.0" } });
  expect(workspaceFolders(root)).toEqual(["web", "apps/api"]);
  const texts = (inner: object, outer: object = {}) =>
    new Map([
      ["web", JSON.stringify(outer)],
      ["apps/api", JSON.stringify(inner)],
    ]);
  const inner = { name: "api", version: "1.0.0", dependencies: { b: "^1.0.0", a: "2.0.0" } };
  const reading = readWanted(root, texts(inner, { devDependencies: { c: "*" } }));
  expect(reading).toEqual({
    wanted: {
      dependencies: { a: "1.0.0" },
      devDependencies: {},
      workspaces: {
        web: { dependencies: {}, devDependencies: { c: "*" } },
        "apps/api": { ...inner, devDependencies: {} },
      },
    },
  });
  if ("left" in reading) return;
  expect(countOf(reading.wanted)).toBe(4);
  expect(everyRange(reading.wanted)).toEqual({ a: "1.0.0", b: "^1.0.0", c: "*" });
  for (const [odd, why] of [
    [{ scripts: { postinstall: "x" } }, 'apps/api/package.json has a script "postinstall"'],
    [{ bin: "x.js" }, "apps/api/package.json has bin"],
    [{ name: "../x" }, "apps/api/package.json has no usual name"],
    [{ dependencies: { a: "file:../a" } }, "a is not from the registry (file:../a)"],
  ] as const)
    expect(readWanted(root, texts(odd))).toEqual({ left: why });
});
