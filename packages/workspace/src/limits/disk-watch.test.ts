import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sentence } from "@treadle/protocol/sentences";
import { createDiskWatch } from "./disk-watch.ts";
import { defaultLimits } from "./limits.ts";
import { measureByWalking, measureFolders, measureUnnamed } from "./measure-disk.ts";
import { closeSync, linkSync, openSync, symlinkSync, writeSync } from "node:fs";

const MB = 1024 * 1024;

describe("a project's use of the disk", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "treadle-disk-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["by du", measureFolders],
    ["by walking", measureByWalking],
  ])(
    "is the size of its folders, with hard links counted once, links not followed, and empty files included, %s",
    async (_, measure) => {
      writeFileSync(join(folder, "a"), Buffer.alloc(2 * MB, 1));
      linkSync(join(folder, "a"), join(folder, "b"));
      symlinkSync("/usr", join(folder, "usr"));
      const bytes = await measure([folder]);
      expect(bytes).toBeGreaterThanOrEqual(2 * MB);
      expect(bytes).toBeLessThan(3 * MB);
      for (let n = 0; n < 1_000; n++) writeFileSync(join(folder, `empty-${n}`), "");
      expect(await measure([folder])).toBeGreaterThanOrEqual(1_000 * 4_096);
    },
  );

  it("is zero for a missing folder", async () => {
    for (const measure of [measureFolders, measureByWalking])
      expect(await measure([join(folder, "none")])).toBe(0);
  });

  it("includes deleted files that are still open", () => {
    const fd = openSync(join(folder, "x"), "w");
    rmSync(join(folder, "x"));
    writeSync(fd, Buffer.alloc(MB, 1));
    expect(measureUnnamed([process.pid], folder)).toBeGreaterThanOrEqual(MB);
    closeSync(fd);
    expect(measureUnnamed([process.pid], folder)).toBe(0);
  });
});

// These wait from one measurement to the next; the measured values are made up.
describe.concurrent("a project that was over its limit when it was opened", () => {
  it("is not ended, but may write nothing until it uses less", async ({ expect }) => {
    const limits = { ...defaultLimits(), disk: 16 * MB };
    let used = 20 * MB;
    const hits: string[] = [];
    const watched = createDiskWatch(async () => used)({
      folders: [tmpdir()],
      limits,
      pids: () => [],
      onOver: ({ words }) => hits.push(words),
    });
    await expect
      .poll(() => watched.full()?.coded)
      .toMatchObject({
        code: "disk-limit-exceeded",
        values: { used: "20 MB", limit: "16 MB" },
      });
    expect(hits).toEqual([]);
    used = 100 * MB;
    await expect.poll(() => hits).toHaveLength(1);
    expect(hits[0]).toContain("takes 100 MB");
    used = 10 * MB;
    await expect.poll(() => watched.full()).toBeUndefined();
    watched.close();
  });
});

describe("a project that others leave little of the disk", () => {
  it("is told when it comes near that, is ended beyond it with the reason, and writes again once there is room", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const why = sentence("quota-disk", { used: "1.0 GiB", limit: "1 GiB" });
    const allowance = { bytes: 100 * MB, why };
    let used = 50 * MB;
    let entries = 1_000;
    const [near, hits]: [string[], string[]] = [[], []];
    const watched = createDiskWatch(
      async () => used,
      () => ({ bytes: 1_000_000 * MB, entries: entries++ }),
    )({
      folders: ["/left-little"],
      limits: { ...defaultLimits(), disk: 1_000 * MB },
      pids: () => [],
      allowance: async () => allowance,
      onNear: ({ words }) => near.push(words),
      onOver: ({ words }) => hits.push(words),
    });
    const later = async () => {
      await vi.advanceTimersByTimeAsync(60_000);
      return [near.length, hits.length, watched.full()?.coded?.code];
    };
    try {
      expect(await later()).toEqual([0, 0, undefined]);
      used = 95 * MB;
      expect(await later()).toEqual([1, 0, undefined]);
      used = 101 * MB;
      expect(await later()).toEqual([1, 1, "quota-disk"]);
      expect(hits[0]).toContain(why.text);
      used = 60 * MB;
      expect(await later()).toEqual([1, 1, undefined]);
      // Another project has grown: nothing of this one is ended.
      allowance.bytes = 40 * MB;
      expect(await later()).toEqual([2, 1, "quota-disk"]);
      allowance.bytes = 2_000 * MB;
      expect(await later()).toEqual([2, 1, undefined]);
    } finally {
      watched.close();
      vi.useRealTimers();
    }
  });
});

describe("a project on a file system that changes all the time", () => {
  /**
   * The number of measurements within a minute.
   * @param disk its limit, in bytes
   */
  async function measuredIn(disk: number): Promise<number> {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    let measured = 0;
    let entries = 1_000;
    const watched = createDiskWatch(
      async () => (measured++, MB),
      () => ({ bytes: 1_000_000 * MB, entries: entries++ }),
    )({
      folders: [tmpdir()],
      limits: { ...defaultLimits(), disk },
      pids: () => [],
      onOver: () => {},
    });
    await vi.advanceTimersByTimeAsync(60_000);
    watched.close();
    return measured;
  }

  afterEach(() => void vi.useRealTimers());

  it("is measured every few seconds near its limit, and seldom far below it", async () => {
    expect(await measuredIn(16 * MB)).toBeGreaterThan(10);
    expect(await measuredIn(16_384 * MB)).toBeLessThan(5);
  });
});

describe.concurrent("a project that writes while others remove as much", () => {
  it("is found over its limit although the free space does not shrink", async ({ expect }) => {
    const limits = { ...defaultLimits(), disk: 16 * MB };
    let used = 1 * MB;
    let free = { bytes: 1_000 * MB, entries: 1_000 };
    const hits: string[] = [];
    let measured = 0;
    const watched = createDiskWatch(
      async () => (measured++, used),
      () => (free = { ...free, bytes: free.bytes + MB }),
    )({ folders: [tmpdir()], limits, pids: () => [], onOver: ({ words }) => hits.push(words) });
    await expect.poll(() => measured).toBe(1);
    used = 100 * MB;
    await expect.poll(() => hits).toHaveLength(1);
    watched.close();
  });

  it("is found by what was written between two removals", async ({ expect }) => {
    const limits = { ...defaultLimits(), disk: 16 * MB };
    let used = 1 * MB;
    let looks = 0;
    const hits: string[] = [];
    const watched = createDiskWatch(
      async () => used,
      // Varies by 4 MB: never less than at first, yet 4 MB more are written every second time.
      () => ({ bytes: (1_000 + (looks++ % 2) * 4) * MB, entries: 1_000 }),
    )({ folders: [tmpdir()], limits, pids: () => [], onOver: ({ words }) => hits.push(words) });
    await expect.poll(() => looks).toBeGreaterThan(10);
    used = 100 * MB;
    await expect.poll(() => hits).toHaveLength(1);
    watched.close();
  });
});
