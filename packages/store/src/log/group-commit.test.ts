import { afterEach, describe, expect, it, vi } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

function fakeDisk() {
  const groups: number[][] = [];
  const disk = {
    groups,
    failing: false,
    failures: 0,
    commits: createGroupCommit<number>({
      pendingBytes: 100,
      commit: async (items) => {
        if (disk.failing) throw new Error("full");
        groups.push(items);
      },
      onFailure: () => void disk.failures++,
    }),
  };
  return disk;
}

/**
 * The start times of groups, on a simulated clock, if each commit takes the given time and an item
 * is added every millisecond.
 */
async function beginningsOf({ commitMs, forMs }: { commitMs: number; forMs: number }) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const began = performance.now();
  const beginnings: number[] = [];
  const commits = createGroupCommit<number>({
    commit: () => {
      beginnings.push(performance.now() - began);
      return new Promise((resolve) => setTimeout(resolve, commitMs));
    },
    onFailure: (error) => expect.unreachable(String(error)),
  });
  for (let now = 0; now < forMs; now++) {
    commits.add(now, 1);
    await vi.advanceTimersByTimeAsync(1);
  }
  return beginnings;
}

afterEach(() => void vi.useRealTimers());

describe("group commit", () => {
  it("starts a group every 20 ms, however much of that its commit takes", async () => {
    const beginnings = await beginningsOf({ commitMs: 8, forMs: 90 });
    expect(beginnings.map((at) => Math.round(at / 20))).toEqual([0, 1, 2, 3, 4]);
  });

  it("leaves the thread free between slow commits for as long as the last one took, up to 20 ms", async () => {
    const slow = await beginningsOf({ commitMs: 15, forMs: 100 });
    expect(slow.slice(1).map((at, index) => Math.round(at - slow[index]!))).toEqual([30, 30, 30]);
    const slower = await beginningsOf({ commitMs: 50, forMs: 200 });
    expect(slower.slice(1).map((at, index) => Math.round(at - slower[index]!))).toEqual([70, 70]);
  });

  it("commits items added together as one group, in order", async () => {
    const { commits, groups } = fakeDisk();
    for (let n = 0; n < 5; n++) commits.add(n, 1);
    await commits.settled();
    expect(groups).toEqual([[0, 1, 2, 3, 4]]);
  });

  it("keeps a failed group first in line, and retries it on request", async () => {
    const disk = fakeDisk();
    disk.failing = true;
    disk.commits.add(1, 1);
    await expect(disk.commits.settled()).rejects.toThrow("full");
    disk.failing = false;
    disk.commits.add(2, 1);
    await disk.commits.settled();
    expect(disk.groups.flat()).toEqual([1, 2]);
    expect(disk.failures).toBe(1);
  });

  it("accepts items up to its limit, and not one byte more", async () => {
    const { commits, groups } = fakeDisk();
    expect(commits.add(1, 100)).toBe(true);
    expect(commits.add(2, 1)).toBe(false);
    await commits.settled();
    expect(commits.add(3, 100)).toBe(true);
    await commits.close();
    expect(groups.flat()).toEqual([1, 3]);
    expect(commits.add(4, 1)).toBe(false);
  });

  it("closing settles all waiting callers", async () => {
    const { commits, groups } = fakeDisk();
    commits.add(1, 1);
    const settled = commits.settled();
    await commits.close();
    await settled;
    expect(groups).toEqual([[1]]);
  });
});
