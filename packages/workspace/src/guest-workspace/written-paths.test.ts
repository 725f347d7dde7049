import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWrittenPaths } from "./written-paths.ts";

let state: string;
beforeEach(() => void (state = mkdtempSync(join(tmpdir(), "treadle-written-"))));
afterEach(() => rmSync(state, { recursive: true, force: true }));
const file = () => join(state, "written-paths.jsonl");

it("remembers written paths over restarts, and forgets a folder with its content", () => {
  const first = createWrittenPaths(state);
  for (const path of ["a", "b/c", "b/d", "bc", "line\nbreak"]) first.add(toProjectPath(path));
  first.remove(toProjectPath("b"));
  expect(first.hasBelow(toProjectPath("b"))).toBe(false);
  expect(createWrittenPaths(state).list()).toEqual(["a", "bc", "line\nbreak"]);
});

it("drops a truncated or invalid line, and continues after it", () => {
  createWrittenPaths(state).add(toProjectPath("a"));
  appendFileSync(file(), '?"x"\n+5\n+"cut');
  const again = createWrittenPaths(state);
  again.add(toProjectPath("b"));
  expect(createWrittenPaths(state).list()).toEqual(["a", "b"]);
});

const path = fc.constantFrom("a", "a/b", "a/b/c", "ab", "z").map(toProjectPath);

it("has the same paths after a restart, however often they were added and removed, in a file of bounded length", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), path), { maxLength: 300 }), (changes) => {
      rmSync(file(), { force: true });
      const written = createWrittenPaths(state);
      for (const [isAdded, one] of changes)
        if (isAdded) written.add(one);
        else written.remove(one);
      expect(createWrittenPaths(state).list().toSorted()).toEqual(written.list().toSorted());
      createWrittenPaths(state).list();
      const lines = existsSync(file()) ? readFileSync(file(), "utf8").split("\n").length : 0;
      expect(lines).toBeLessThan(125);
    }),
    { numRuns: 30 },
  );
});
