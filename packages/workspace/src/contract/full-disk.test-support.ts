import { toProjectPath } from "@treadle/protocol/project-path";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

const KB = 1024;
/** The block size of this disk. */
const PAGE = 4 * KB;

/**
 * Only a real disk can really be full: this uses a small one in memory, which takes root to mount.
 */
const canMount = process.platform === "linux" && process.getuid?.() === 0;

function asRoot(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

export function describeFullDisk(contract: Contract): void {
  const { openNew, text, apart } = contract;

  /** @param act receives the folder where the disk is mounted; the disk is removed in any case */
  async function onDisk(name: string, words: string, act: (folder: string) => Promise<void>) {
    const folder = join(contract.folder, name);
    mkdirSync(folder, { recursive: true });
    asRoot("mount", "-t", "tmpfs", "-o", `${words},mode=755`, "tmpfs", folder);
    try {
      await act(folder);
    } finally {
      asRoot("umount", "-l", folder);
    }
  }

  describe
    .skipIf(!canMount)
    .concurrent("a disk that is full or cannot be written (needs root)", () => {
      apart(
        "W46",
        "F9 a write is whole or not at all, however much space is left, and reports why it failed",
        async () =>
          onDisk("w46", `size=${40 * PAGE}`, async (folder) => {
            const own = await openNew({
              directory: folder,
              stateDirectory: join(contract.folder, "w46-state"),
            });
            const old = "o".repeat(3 * PAGE);
            const content = "n".repeat(5 * PAGE);
            await own.files.write(toProjectPath("kept.txt"), old);
            const outcomes = new Set<string>();
            // One block less space in each round, so that it runs out at each of the write's
            // blocks.
            for (let room = 8; room >= 0; room--) {
              await own.run(
                `rm -f filler; dd if=/dev/zero of=filler bs=${PAGE} 2>/dev/null; truncate -s -${room * PAGE} filler`,
              );
              const code = await codeOf(own.files.write(toProjectPath("kept.txt"), content));
              outcomes.add(code);
              expect([room, code, await text("kept.txt", own)]).toEqual([
                room,
                code,
                code === "none" ? content : old,
              ]);
              expect((await own.run("ls -A | grep writing; true")).output).toBe("");
              await own.run("rm filler");
              await own.files.write(toProjectPath("kept.txt"), old);
            }
            expect(outcomes).toEqual(new Set(["none", "no-space"]));
            expect(
              await codeOf(own.files.write(toProjectPath("large.txt"), "x".repeat(60 * PAGE))),
            ).toBe("no-space");
            expect(await codeOf(own.files.read(toProjectPath("large.txt")))).toBe("missing");
            await own.stop();
          }),
      );

      apart(
        "W47",
        "F9 a disk without space for another name refuses new files and keeps existing ones",
        async () =>
          onDisk("w47", "size=1m,nr_inodes=40", async (folder) => {
            const own = await openNew({
              directory: folder,
              stateDirectory: join(contract.folder, "w47-state"),
            });
            await own.files.write(toProjectPath("kept.txt"), "old");
            await own.run("i=0; while touch f$i 2>/dev/null; do i=$((i+1)); done");
            expect(await codeOf(own.files.write(toProjectPath("kept.txt"), "new"))).toBe(
              "no-space",
            );
            expect(await codeOf(own.files.write(toProjectPath("a/b/c.txt"), "new"))).toBe(
              "no-space",
            );
            expect(await text("kept.txt", own)).toBe("old");
            await own.run("rm -f f*");
            await own.files.write(toProjectPath("a/b/c.txt"), "new");
            await own.stop();
          }),
      );

      apart("W48", "F9 a disk that became read-only is reported, and can still be read", async () =>
        onDisk("w48", "size=1m", async (folder) => {
          const own = await openNew({
            directory: folder,
            stateDirectory: join(contract.folder, "w48-state"),
          });
          await own.files.write(toProjectPath("kept.txt"), "old");
          await own.files.write(toProjectPath("folder/file"), "old");
          const remount = (how: string) => asRoot("mount", "-o", `remount,${how}`, folder);
          remount("ro");
          const all = [
            own.files.write(toProjectPath("kept.txt"), "new"),
            own.files.write(toProjectPath("new.txt"), "new"),
            own.files.remove(toProjectPath("kept.txt")),
            own.files.remove(toProjectPath("folder")),
            own.files.rename(toProjectPath("kept.txt"), toProjectPath("else.txt")),
          ];
          expect(await Promise.all(all.map(codeOf))).toEqual(all.map(() => "read-only"));
          expect(await text("kept.txt", own)).toBe("old");
          remount("rw");
          await own.files.write(toProjectPath("kept.txt"), "new");
          expect(await text("kept.txt", own)).toBe("new");
          await own.stop();
        }),
      );

      apart(
        "W49",
        "F9 checkpoints on a full disk fail with their reason, lose none, and work again later",
        async () =>
          onDisk("w49", "size=2m", async (folder) => {
            const own = await openNew({
              directory: join(contract.folder, "w49-files"),
              stateDirectory: join(folder, "state"),
            });
            await own.files.write(toProjectPath("a.txt"), "one");
            const first = await own.checkpoint("one");
            // Data that cannot be compressed.
            await own.run("head -c 3000000 /dev/urandom > random.bin");
            expect(await codeOf(own.checkpoint("too large"))).toBe("no-space");
            expect(await own.checkpoints()).toEqual([first]);
            await own.files.remove(toProjectPath("random.bin"));
            await own.files.write(toProjectPath("a.txt"), "two");
            await own.checkpoint("two");
            await own.restore(first.checkpoint);
            expect(await text("a.txt", own)).toBe("one");
            await own.stop();
          }),
      );
    });
}
