import { createHash } from "node:crypto";
import { toProjectPath } from "@treadle/protocol/project-path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { comparePaths } from "../guest-workspace/known-manifest.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { differing, differingFrom } from "./differing.ts";
import { treesOf, type KnownTrees } from "./git-trees.ts";

const hashOf = (text: string) => createHash("sha1").update(text).digest("hex");
/** File names end with `f`, which no folder name does. */
const files = fc
  .dictionary(
    fc
      .array(fc.constantFrom("a", "b", "a-b"), { minLength: 0, maxLength: 3 })
      .chain((folders) => fc.constantFrom("1f", "2f").map((name) => [...folders, name].join("/"))),
    fc.constantFrom("x", "y"),
    { maxKeys: 12 },
  )
  .map((all): ManifestEntry[] =>
    Object.entries(all)
      .toSorted(([a], [b]) => comparePaths(a, b))
      .map(([path, text]) => ({
        path: toProjectPath(path),
        mode: text === "x" ? "100644" : "100755",
        hash: hashOf(text),
      })),
  );

it("comparing trees gives the same result as comparing every file", () => {
  fc.assert(
    fc.property(files, files, (now, target) => {
      const stored = new Map<string, Buffer>();
      const { trees, root } = treesOf(target, new Map(), () => false);
      for (const { hash, bytes } of trees) stored.set(hash, Buffer.from(bytes));
      const known: KnownTrees = new Map();
      treesOf(now, known, () => false);
      const read: string[] = [];
      const found = differingFrom(now, known, root, (hash) => (read.push(hash), stored.get(hash)));
      const all = differing(now, target);
      const sorted = (entries: ManifestEntry[]) =>
        entries.toSorted((a, b) => comparePaths(a.path, b.path));
      expect(sorted(found!.changed)).toEqual(sorted(all.changed));
      expect(found!.gone).toEqual(all.gone);
      if (all.changed.length + all.gone.length === 0) expect(read).toEqual([]);
    }),
  );
});

it("returns undefined if a tree cannot be read, so that git is asked", () => {
  expect(differingFrom([], new Map(), "0".repeat(40), () => undefined)).toBeUndefined();
  expect(
    differingFrom([], new Map(), "0".repeat(40), () => Buffer.from("40000 a")),
  ).toBeUndefined();
});
