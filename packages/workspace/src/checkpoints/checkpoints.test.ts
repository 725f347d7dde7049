import * as fs from "node:fs";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCheckpoints } from "./checkpoints.ts";

// There is no other way to make the n-th sync of the disk fail.
vi.mock("node:fs", { spy: true });

let stateDirectory: string;
beforeEach(() => void (stateDirectory = mkdtempSync(join(tmpdir(), "treadle-checkpoints-"))));
afterEach(() => rmSync(stateDirectory, { recursive: true, force: true }));

/** Checkpoints of a project with one file, with a fake store. */
function checkpoints(content = "1") {
  const nothing = async () => undefined;
  return createCheckpoints({
    stateDirectory,
    git: {
      storeTree: async () => "0".repeat(40),
      differences: async () => ({ changed: [], gone: [] }),
      readTree: async () => [],
      readBlobs: async () => [],
      blobSizes: async () => [],
      blobsAt: async () => [],
      readPieces: async function* () {},
      diff: async () => [],
      size: async () => 0,
      isScattered: () => false,
      keepOnly: nothing,
      copyOut: async () => "",
    },
    manifest: async () => [{ path: toProjectPath("a"), mode: "100644", hash: content.repeat(40) }],
    data: async () => new Set(),
    write: nothing,
    remove: nothing,
    link: nothing,
    prune: nothing,
  });
}

it("does not list a checkpoint that could not be written, and can save it again", async () => {
  const history = checkpoints();
  const place = join(stateDirectory, "checkpoints.json.new");
  mkdirSync(place);
  await expect(history.keep("one")).rejects.toThrow();
  expect(history.list()).toEqual([]);
  rmSync(place, { recursive: true });
  const { checkpoint } = await history.keep("one");
  expect(history.list()).toMatchObject([{ checkpoint, label: "one" }]);
  expect(checkpoints().list()).toEqual(history.list());
  expect(existsSync(place)).toBe(false);
});

it("lists a checkpoint after it and the folder entry are synced to the disk, and not before (F7)", async () => {
  const history = checkpoints();
  const listed: number[] = [];
  const sync = vi.mocked(fs.fsync);
  sync.mockImplementation((_, done) => {
    listed.push(history.list().length);
    done(null);
  });
  await history.keep("one");
  sync.mockReset();
  expect(listed).toEqual([0, 0]);
  expect(history.list()).toHaveLength(1);
});

it("does not list, now or after a restart, a checkpoint that the disk refused (F7)", async () => {
  const history = checkpoints();
  vi.mocked(fs.fsync).mockImplementationOnce((_, done) => done(new Error("EIO: i/o error, fsync")));
  await expect(history.keep("one")).rejects.toThrow("EIO");
  expect(history.list()).toEqual([]);
  expect(checkpoints().list()).toEqual([]);
});

it("reports the path of a truncated list, and leaves the list unchanged", () => {
  writeFileSync(join(stateDirectory, "checkpoints.json"), '[{"checkpoint":"c1');
  const expectedError = expect.objectContaining({
    name: "WorkspaceError",
    message: expect.stringContaining("checkpoints.json: move it away"),
  });
  expect(() => checkpoints().list()).toThrow(expectedError);
});

it("continues the numbering, whatever was thinned out and however the list began", async () => {
  const old = (n: number) => ({
    checkpoint: `c${n}-${"0".repeat(8)}`,
    revision: `${n}`.repeat(40),
    label: "",
    at: n,
    tree: "0".repeat(40),
  });
  writeFileSync(join(stateDirectory, "checkpoints.json"), JSON.stringify([old(1), old(7)]));
  expect((await checkpoints().keep("next")).checkpoint).toMatch(/^c8-/);
  await checkpoints("2").keep("another");
  await checkpoints().thin({ maxBytes: -1, keep: new Set(), now: Date.now() });
  expect(checkpoints().list()).toHaveLength(2);
  expect((await checkpoints("3").keep("last")).checkpoint).toMatch(/^c10-/);
});

it("distinguishes a checkpoint that was thinned out from one that never existed", async () => {
  const history = checkpoints();
  const { checkpoint } = await history.keep("one");
  await checkpoints("2").keep("two");
  const later = checkpoints();
  await later.thin({ maxBytes: -1, keep: new Set(), now: Date.now() + 400 * 24 * 60 * 60_000 });
  await expect(later.restore(checkpoint)).rejects.toThrow("was thinned out to save room");
  await expect(later.restore("c99-00000000")).rejects.toThrow("there is no checkpoint");
});

it("stores the name of a checkpoint, and removes it again", async () => {
  const { checkpoint } = await checkpoints().keep("one");
  await checkpoints().name(checkpoint, "v1 works");
  expect(checkpoints().list()).toMatchObject([{ checkpoint, name: "v1 works" }]);
  await checkpoints().name(checkpoint, undefined);
  expect(checkpoints().list()[0]).not.toHaveProperty("name");
});
