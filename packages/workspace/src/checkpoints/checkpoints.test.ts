import * as fs from "node:fs";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCheckpoints } from "./checkpoints.ts";

// A disk that fails at the n-th sync cannot be had otherwise.
vi.mock("node:fs", { spy: true });

let stateDirectory: string;
beforeEach(() => void (stateDirectory = mkdtempSync(join(tmpdir(), "treadle-checkpoints-"))));
afterEach(() => rmSync(stateDirectory, { recursive: true, force: true }));

/** Checkpoints of a project of one file, with a store that keeps nothing. */
function checkpoints() {
  const nothing = async () => undefined;
  return createCheckpoints({
    stateDirectory,
    git: {
      storeTree: async () => "0".repeat(40),
      readTree: async () => [],
      readBlobs: async () => [],
      blobSizes: async () => [],
      readPieces: async function* () {},
      diff: async () => [],
    },
    manifest: async () => [{ path: toProjectPath("a"), mode: "100644", hash: "1".repeat(40) }],
    data: async () => new Set(),
    write: nothing,
    remove: nothing,
    link: nothing,
    prune: nothing,
  });
}

it("one that could not be written is not listed, and can be kept again", async () => {
  const kept = checkpoints();
  const place = join(stateDirectory, "checkpoints.json.new");
  mkdirSync(place);
  await expect(kept.keep("one")).rejects.toThrow();
  expect(kept.list()).toEqual([]);
  rmSync(place, { recursive: true });
  const { checkpoint } = await kept.keep("one");
  expect(kept.list()).toMatchObject([{ checkpoint, label: "one" }]);
  expect(checkpoints().list()).toEqual(kept.list());
  expect(existsSync(place)).toBe(false);
});

it("one is listed after it and the folder that names it are on the disk, and not before (F7)", async () => {
  const kept = checkpoints();
  const listed: number[] = [];
  const sync = vi.mocked(fs.fsyncSync);
  sync.mockImplementation(() => void listed.push(kept.list().length));
  await kept.keep("one");
  sync.mockReset();
  expect(listed).toEqual([0, 0]);
  expect(kept.list()).toHaveLength(1);
});

it("one that the disk does not take is not listed, now or by who comes later (F7)", async () => {
  const kept = checkpoints();
  vi.mocked(fs.fsyncSync).mockImplementationOnce(() => {
    throw new Error("EIO: i/o error, fsync");
  });
  await expect(kept.keep("one")).rejects.toThrow("EIO");
  expect(kept.list()).toEqual([]);
  expect(checkpoints().list()).toEqual([]);
});

it("a list that was cut is told with a sentence that says where it is, and stays as it is", () => {
  writeFileSync(join(stateDirectory, "checkpoints.json"), '[{"checkpoint":"c1');
  const told = expect.objectContaining({
    name: "WorkspaceError",
    message: expect.stringContaining("checkpoints.json: move it away"),
  });
  expect(() => checkpoints().list()).toThrow(told);
});
