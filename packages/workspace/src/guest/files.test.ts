import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failingDisk } from "./failing-disk.test-support.ts";
import { createFiles } from "./files.ts";
import type { Disk } from "./disk.ts";
import { disk as systemDisk } from "./disk.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const OLD = "what stood before";
const NEW = "what is to stand there";
const openDescriptors = () => readdirSync("/proc/self/fd").length;

const CODES = { ENOSPC: "no-space", EDQUOT: "no-space", EIO: "failed", EROFS: "read-only" };

it("F12 preserves an editor's write between the check and the rename, and reports a conflict", async () => {
  const path = toProjectPath("a");
  writeFileSync(join(root, "a"), OLD);
  let late = true;
  const disk: Disk = {
    ...systemDisk,
    rename(from, to) {
      if (late) appendFileSync(join(root, "a"), ", and more");
      late = false;
      systemDisk.rename(from, to);
    },
  };
  const files = createFiles(root, disk);
  const { version } = await files.read(path);
  await expect(files.write(path, Buffer.from(NEW), { ifVersion: version })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(readFileSync(join(root, "a"), "utf8")).toBe(`${OLD}, and more`);
  expect(readdirSync(root)).toEqual(["a"]);
  // No particular version was expected.
  late = true;
  await files.write(path, Buffer.from(NEW));
  expect(readFileSync(join(root, "a"), "utf8")).toBe(NEW);
});

it("writes a file if only its time changed between the check and the rename", async () => {
  const path = toProjectPath("a");
  writeFileSync(join(root, "a"), OLD);
  const disk: Disk = {
    ...systemDisk,
    rename(from, to) {
      utimesSync(join(root, "a"), 1, 1);
      systemDisk.rename(from, to);
    },
  };
  const files = createFiles(root, disk);
  const { version } = await files.read(path);
  const written = await files.write(path, Buffer.from(NEW), { ifVersion: version });
  expect(readFileSync(join(root, "a"), "utf8")).toBe(NEW);
  expect(written.version).toBe((await files.read(path)).version);
});

it("writes and removes a file only if its content still has the id that git gives it", async () => {
  const path = toProjectPath("a");
  const files = createFiles(root);
  const idOf = (text: string) => {
    const bytes = Buffer.from(text);
    return `blob:${createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex")}`;
  };
  writeFileSync(join(root, "a"), OLD);
  const conflict = { code: "conflict" };
  const other = { ifVersion: idOf("another") };
  await expect(files.write(path, Buffer.from(NEW), other)).rejects.toMatchObject(conflict);
  await expect(files.remove(path, idOf("another"))).rejects.toMatchObject(conflict);
  expect(readFileSync(join(root, "a"), "utf8")).toBe(OLD);
  await files.write(path, Buffer.from(NEW), { ifVersion: idOf(OLD) });
  expect(readFileSync(join(root, "a"), "utf8")).toBe(NEW);
  await files.remove(path, idOf(NEW));
  expect(readdirSync(root)).toEqual([]);
});

describe("a failing disk (F9)", () => {
  for (const [code, expected] of Object.entries(CODES))
    for (const once of [true, false])
      it(`${code} at the n-th operation${once ? " alone" : " and after it"}, for every n: the original file is preserved`, async () => {
        for (let n = 1; ; n++) {
          writeFileSync(join(root, "a"), OLD, { mode: 0o755 });
          const failing = failingDisk(n, code, { once });
          const descriptors = openDescriptors();
          const files = createFiles(root, failing.disk);
          const outcome = await files.write(toProjectPath("a"), Buffer.from(NEW)).then(
            () => "written",
            (error: Error) => error,
          );
          expect(openDescriptors()).toBe(descriptors);
          const text = readFileSync(join(root, "a"), "utf8");
          if (failing.count() < n) {
            expect([outcome, text]).toEqual(["written", NEW]);
            expect(n).toBeGreaterThan(5);
            return;
          }
          expect(statSync(join(root, "a")).mode & 0o777).toBe(0o755);
          // Opening the original may fail without harm: it is needed only if another operation
          // fails.
          if (outcome === "written") expect(text).toBe(NEW);
          else {
            expect(outcome).toMatchObject({ name: "WorkspaceError", code: expected });
            expect(String(outcome)).toContain('"a"');
            // If everything from the folder's sync on fails, the file is either the old or the new
            // one, never a mixture.
            if (once) expect(text).toBe(OLD);
            else expect([OLD, NEW]).toContain(text);
          }
          expect(readdirSync(root)).toEqual(["a"]);
        }
      });

  it("leaves no part of a new file, in new folders as well, for every n", async () => {
    for (let n = 1; ; n++) {
      const failing = failingDisk(n, "ENOSPC", { once: true });
      const files = createFiles(root, failing.disk);
      const written = await files.write(toProjectPath("new/folder/b"), Buffer.from(NEW)).then(
        () => true,
        () => false,
      );
      if (failing.count() < n) {
        expect(written).toBe(true);
        return;
      }
      expect(written).toBe(false);
      const left = readdirSync(root, { recursive: true, withFileTypes: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
      rmSync(join(root, "new"), { recursive: true, force: true });
    }
  });

  it("a failure at the n-th piece of a long file fails the call, and the next write succeeds", async () => {
    writeFileSync(join(root, "long"), OLD);
    for (let n = 1; n <= 6; n++) {
      let pieces = 0;
      const disk: Disk = {
        ...systemDisk,
        write(fd, bytes) {
          if (++pieces === n) throw Object.assign(new Error("full"), { code: "ENOSPC" });
          return systemDisk.write(fd, bytes);
        },
      };
      const files = createFiles(root, disk);
      const draft = await files.draft(toProjectPath("long"));
      const all = (async () => {
        for (let i = 0; i < 6; i++) await draft.append(Buffer.alloc(1024, i));
      })();
      await expect(all).rejects.toMatchObject({ code: "no-space" });
      draft.discard();
      expect(readFileSync(join(root, "long"), "utf8")).toBe(OLD);
      expect(readdirSync(root)).toEqual(["long"]);
    }
    await createFiles(root).write(toProjectPath("long"), Buffer.from(NEW));
    expect(readFileSync(join(root, "long"), "utf8")).toBe(NEW);
  });
});

describe("concurrent writes", () => {
  it("share the syncs of their folder, but sync each file itself before it becomes visible", async () => {
    mkdirSync(join(root, "src"));
    const synced = { files: 0, folders: 0 };
    const disk: Disk = {
      ...systemDisk,
      async sync(fd) {
        const isFolder = readdirSync("/proc/self/fd").includes(String(fd))
          ? statSync(`/proc/self/fd/${fd}`).isDirectory()
          : false;
        synced[isFolder ? "folders" : "files"]++;
        await systemDisk.sync(fd);
      },
    };
    const files = createFiles(root, disk);
    const descriptors = openDescriptors();
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        files.write(toProjectPath(`src/f${n}`), Buffer.from(`${n}`)),
      ),
    );
    expect(synced.files).toBe(200);
    expect(synced.folders).toBeGreaterThan(0);
    expect(synced.folders).toBeLessThan(200);
    expect(openDescriptors()).toBe(descriptors);
    expect(readdirSync(join(root, "src"))).toHaveLength(200);
  });
});
