import { expect, it } from "vitest";
import { chooseTree } from "./choose-tree.ts";
import { digestOf, PLATFORM, type PreparedTree } from "./prepared-trees.ts";
import type { Wanted } from "./wanted-packages.ts";

type Ranges = Record<string, string>;
const NOW = 1_000_000_000_000;
const HOUR = 60 * 60_000;

/** Creates a package-lock.json with these versions. */
const lock = (versions: Ranges, change: Record<string, object> = {}) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": {},
      ...Object.fromEntries(
        Object.entries(versions).map(([name, version]) => [
          `node_modules/${name}`,
          { version, integrity: `sha512-${name}${version}`, ...change[name] },
        ]),
      ),
    },
  });

const wants = (dependencies: Ranges, more?: object): Wanted => ({
  dependencies,
  devDependencies: {},
  more: more ? (more as Record<string, unknown>) : undefined,
});

function tree(
  dependencies: Ranges,
  versions: Ranges,
  facts: Partial<PreparedTree> = {},
): PreparedTree {
  return {
    key: Object.keys(versions).join("-"),
    platform: PLATFORM,
    manager: "npm",
    wanted: wants(dependencies),
    from: "template",
    packages: Object.keys(versions).length,
    scripts: false,
    shared: true,
    bytes: 1,
    madeAt: NOW,
    open: true,
    modules: "/nowhere",
    lock: lock(versions),
    ...facts,
  };
}

const choose = (
  trees: PreparedTree[],
  dependencies: Ranges,
  text?: string,
  more: { manager?: "npm" | "pnpm"; later?: number; fields?: object } = {},
) =>
  chooseTree(
    trees,
    { manager: more.manager ?? "npm", wanted: wants(dependencies, more.fields), lock: text },
    NOW + (more.later ?? 0),
  )?.part;

it("a template's tree serves requests for the same names whose ranges it satisfies", () => {
  const trees = [tree({ a: "1.2.0", b: "2.0.0" }, { a: "1.2.0", b: "2.0.0", below: "1.0.0" })];
  expect(choose(trees, { a: "^1.0.0", b: "latest" })).toBe("whole");
  expect(choose(trees, { b: "2.0.0", a: "1.2.0" }, undefined, { later: 1_000 * HOUR })).toBe(
    "whole",
  );
  expect(choose(trees, { a: "^1.3.0", b: "2.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "next", b: "2.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "1.2.0" })).toBeUndefined();
  expect(choose(trees, {})).toBeUndefined();
});

it("the largest tree without extra packages is the base of a larger request", () => {
  const trees = [
    tree({ a: "1.0.0" }, { a: "1.0.0" }),
    tree({ a: "1.0.0", b: "1.0.0" }, { a: "1.0.0", b: "1.0.0" }),
    tree({ a: "1.0.0", z: "1.0.0" }, { a: "1.0.0", z: "1.0.0", y: "1.0.0" }),
  ];
  const expected = wants({ a: "^1.0.0", b: "^1.0.0", c: "^1.0.0" });
  const found = chooseTree(trees, { manager: "npm", wanted: expected, lock: undefined }, NOW);
  expect(found).toMatchObject({ part: "base", tree: { key: "a-b" } });
  // If more is missing than present, a separate tree is better.
  expect(
    choose(trees, { a: "1.0.0", c: "1.0.0", d: "1.0.0", e: "1.0.0", f: "1.0.0" }),
  ).toBeUndefined();
  expect(
    choose(trees, { a: "1.0.0", c: "1.0.0" }, undefined, { fields: { overrides: { a: "2" } } }),
  ).toBeUndefined();
});

it("a tree from a project's package.json serves only identical requests", () => {
  const trees = [tree({ a: "^1.0.0" }, { a: "1.0.0" }, { from: "manifest" })];
  expect(choose(trees, { a: "^1.0.0" })).toBe("whole");
  expect(choose(trees, { a: "^1.0.0" }, undefined, { later: 25 * HOUR })).toBeUndefined();
  expect(choose(trees, { a: ">=1" })).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0", b: "1.0.0" })).toBe("base");
  expect(choose(trees, { a: ">=1", b: "1.0.0" })).toBeUndefined();
});

it("A47 output of install scripts for a project without a lock file serves only requests for identical archives", () => {
  const trees = [tree({ a: "^1.0.0" }, { a: "1.0.0" }, { from: "manifest", scripts: true })];
  expect(choose(trees, { a: "^1.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0", b: "1.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0" }, lock({ a: "1.0.0" }))).toBe("whole");
});

it("A47 a manager version chosen by one project is not used for another", () => {
  const made = { manager: "pnpm", from: "manifest", version: "8.0.0", lock: "by pnpm" } as const;
  const trees = [tree({ a: "1.0.0" }, {}, made)];
  const wish = { manager: "pnpm", wanted: wants({ a: "1.0.0" }), lock: undefined } as const;
  expect(chooseTree(trees, wish, NOW)).toBeUndefined();
  expect(chooseTree(trees, { ...wish, lock: "by pnpm" }, NOW)).toBeUndefined();
  expect(chooseTree(trees, { ...wish, version: "8.0.0" }, NOW)?.part).toBe("whole");
});

it("a tree from a project's lock file serves only that lock file, or one with identical archives", () => {
  const given = lock({ a: "1.0.0" });
  const trees = [tree({ a: "^1.0.0" }, { a: "1.0.0" }, { from: "lock", given: digestOf(given) })];
  expect(choose(trees, { a: "^1.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0", b: "1.0.0" })).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0" }, given)).toBe("whole");
  expect(choose(trees, { a: ">=1" }, lock({ a: "1.0.0" }))).toBe("whole");
  for (const change of [
    { integrity: "sha512-another" },
    { integrity: undefined },
    { resolved: "https://registry.example/b/-/b-1.0.0.tgz" },
    { version: "1.0.1" },
  ])
    expect(choose(trees, { a: ">=1" }, lock({ a: "1.0.0" }, { a: change }))).toBeUndefined();
  // The usual address of a package adds no information.
  const usual = lock(
    { a: "1.0.0" },
    { a: { resolved: "https://registry.example/a/-/a-1.0.0.tgz" } },
  );
  expect(choose(trees, { a: ">=1" }, usual)).toBe("whole");
  expect(choose(trees, { a: "^1.0.0", b: "1" }, lock({ a: "1.0.0", b: "1.0.0" }))).toBe("base");
});

it("a tree whose packages ran scripts serves only the identical lock file, and is never a base", () => {
  const given = lock({ a: "1.0.0" });
  const facts = { from: "lock", given: digestOf(given), scripts: true } as const;
  const trees = [tree({ a: "^1.0.0" }, { a: "1.0.0" }, facts)];
  expect(choose(trees, { a: "^1.0.0" }, given)).toBe("whole");
  expect(choose(trees, { a: ">=1" }, given)).toBe("whole");
  const usual = { resolved: "https://registry.example/a/-/a-1.0.0.tgz" };
  expect(choose(trees, { a: ">=1" }, lock({ a: "1.0.0" }, { a: usual }))).toBeUndefined();
  expect(choose(trees, { a: "^1.0.0", b: "1" }, lock({ a: "1.0.0", b: "1.0.0" }))).toBeUndefined();
});

it("another package under the same name, or one whose scripts were left out, counts as different", () => {
  const trees = [tree({ a: "^1.0.0" }, { a: "1.0.0" }, { from: "lock" })];
  for (const change of [{ name: "evil" }, { hasInstallScript: true }])
    expect(choose(trees, { a: "1" }, lock({ a: "1.0.0" }, { a: change }))).toBeUndefined();
});

it("a tree from the identical text is preferred, in whatever order trees are listed", () => {
  const text = lock({ a: "1.0.0" });
  const exact = tree({ a: "1" }, { a: "1.0.0" }, { key: "z", from: "lock", given: digestOf(text) });
  const near = tree({ a: "1" }, { a: "1.0.0" }, { key: "b", from: "lock", lock: `${text} ` });
  const other = { ...near, key: "c" };
  const wish = { manager: "npm", wanted: wants({ a: "1" }), lock: text } as const;
  for (const trees of [
    [exact, near, other],
    [other, near, exact],
  ])
    expect(chooseTree(trees, wish, NOW)?.tree.key).toBe("z");
  expect(chooseTree([other, near], wish, NOW)?.tree.key).toBe("b");
});

it("a lock file without digests proves nothing if a project influenced the tree", () => {
  const bare = lock({ a: "1.0.0" }, { a: { integrity: undefined } });
  const orderFrom = (from: "template" | "lock") => [
    tree({ a: "^1.0.0" }, { a: "1.0.0" }, { from, lock: bare }),
  ];
  expect(choose(orderFrom("template"), { a: "1" }, bare)).toBe("whole");
  expect(choose(orderFrom("lock"), { a: "1" }, bare)).toBeUndefined();
});

it("another manager gets its own trees, or a template's if it has no lock file yet", () => {
  const npm = tree({ a: "1.0.0" }, { a: "1.0.0" });
  const pnpm = tree(
    { a: "1.0.0" },
    {},
    { manager: "pnpm", from: "lock", given: digestOf("by hand"), lock: "by pnpm" },
  );
  expect(choose([npm], { a: "1.0.0" }, undefined, { manager: "pnpm" })).toBe("whole");
  expect(choose([npm], { a: "1.0.0" }, "by hand", { manager: "pnpm" })).toBeUndefined();
  expect(choose([pnpm], { a: "1.0.0" }, "by hand", { manager: "pnpm" })).toBe("whole");
  expect(choose([pnpm], { a: "1.0.0" }, "by pnpm", { manager: "pnpm" })).toBe("whole");
  expect(choose([pnpm], { a: "1.0.0" }, "other", { manager: "pnpm" })).toBeUndefined();
  expect(choose([pnpm], { a: "1.0.0" })).toBeUndefined();
});
