import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createKnownManifest } from "../guest-workspace/known-manifest.ts";
import { createManifest } from "./manifest.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "treadle-manifest-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

/** A time later than any change, so that all entries count as settled. */
const later = () => Date.now() + 60_000;

it("returns everything to a caller without an earlier answer, and then only changes", () => {
  mkdirSync(join(root, "src"));
  write("src/a.ts", "a");
  write("z", "z");
  const look = createManifest(root, "00", { now: later });
  const first = look();
  expect(first).toMatchObject({ whole: true, gone: [] });
  expect(first.changed.map(({ path }) => path)).toEqual(["src/a.ts", "z"]);
  const second = look(first.state);
  expect(second).toMatchObject({ whole: false, changed: [], gone: [] });
  write("src/b.ts", "b");
  rmSync(join(root, "z"));
  const third = look(second.state);
  expect(third.changed.map(({ path }) => path)).toEqual(["src/b.ts"]);
  expect(third).toMatchObject({ whole: false, gone: ["z"] });
  expect(look("what another guest said")).toMatchObject({ whole: true });
});

it("detects a file of the same length that was written within the same tick of the clock", () => {
  write("a", "1");
  const look = createManifest(root, "00");
  const { state, changed } = look();
  write("a", "2");
  expect(look(state).changed[0]?.hash).not.toBe(changed[0]?.hash);
});

it("detects a file that was written and given its old time again", () => {
  write("a", "1");
  utimesSync(join(root, "a"), 1_000, 1_000);
  const look = createManifest(root, "00", { now: later });
  const { state } = look();
  write("a", "2");
  utimesSync(join(root, "a"), 1_000, 1_000);
  expect(look(state).changed).toHaveLength(1);
});

it("detects a changed mode, a link in place of a file, and a folder in place of a link", () => {
  write("a", "1");
  write("b", "1");
  const look = createManifest(root, "00", { now: later });
  let { state } = look();
  chmodSync(join(root, "a"), 0o755);
  rmSync(join(root, "b"));
  symlinkSync("a", join(root, "b"));
  const linked = look(state);
  expect(linked.changed.map(({ path, mode }) => `${path} ${mode}`)).toEqual([
    "a 100755",
    "b 120000",
  ]);
  ({ state } = linked);
  rmSync(join(root, "b"));
  mkdirSync(join(root, "b"));
  write("b/c", "1");
  expect(look(state)).toMatchObject({ changed: [{ path: "b/c" }], gone: ["b"] });
});

/** A small set of names, including those that sort on either side of a slash. */
const name = fc.constantFrom("a", "a-b", "a.b", "a b", "ab", "é", "z");
const step = fc.record({
  act: fc.constantFrom("write", "folder", "remove", "rename", "link"),
  path: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  other: name,
});

it("lets the host reconstruct, from changes, the same ordered result as a full look", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }),
      async (rounds) => {
        rmSync(root, { recursive: true, force: true });
        mkdirSync(root);
        const look = createManifest(root, "00");
        const known = createKnownManifest(async (state) => look(state));
        for (const round of rounds) {
          for (const { act, path, other } of round)
            attempt(act, join(root, path), join(root, other));
          const all = await known();
          expect(all).toEqual(createManifest(root, "00")().changed);
          expect(await known()).toBe(all);
        }
      },
    ),
    { numRuns: 60 },
  );
});

function attempt(act: string, path: string, other: string): void {
  try {
    if (act === "write") writeFileSync(path, `${path}${Math.random()}`);
    else if (act === "folder") mkdirSync(path, { recursive: true });
    else if (act === "remove") rmSync(path, { recursive: true });
    else if (act === "rename") renameSync(path, other);
    else symlinkSync("x", path);
  } catch {
    // A failed operation changes nothing.
  }
}
