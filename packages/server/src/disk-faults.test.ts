import { afterAll, describe, expect, it } from "vitest";
import {
  ALWAYS,
  DISK_ERRORS,
  faultOf,
  noFaults,
  openFaultyDisk,
} from "./faulty-disk.test-support.ts";

/**
 * Writes of the session that fail in this test, each with a different error; `npm run soak disk`
 * tries them all.
 */
const ONCE = [4, 60, 93, 120, 171, 205];
const FROM_THERE_ON = [30, 98, 158];

describe.skipIf(noFaults !== undefined)("F9 a disk that fails at a write of a session", () => {
  const disk = noFaults === undefined ? openFaultyDisk() : undefined;
  afterAll(() => disk?.remove());

  it("reports why an operation failed, keeps everything acknowledged, and the server survives", async () => {
    const errorAt = (index: number) => DISK_ERRORS[index % DISK_ERRORS.length]!;
    const faults = [
      faultOf(0, 0, "EIO"),
      ...ONCE.map((at, index) => faultOf(at, 1, errorAt(index))),
      ...FROM_THERE_ON.map((at, index) => faultOf(at, ALWAYS, errorAt(index))),
    ];
    const tried = await disk!.try(faults);
    expect(tried.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(tried).toHaveLength(faults.length);
    // Otherwise, the last failure came after the session.
    expect(tried[0]?.calls).toBeGreaterThan(Math.max(...ONCE));
  });

  it("the next start creates tables that a failed start could not (write 80, EIO)", async () => {
    const [tried] = await disk!.try([faultOf(80, 1, "EIO")]);
    expect(tried?.problems).toEqual([]);
  });

  it("a start that cannot store its token says why, and leaves a usable folder to the next one (write 76)", async () => {
    const tried = await disk!.try(DISK_ERRORS.map((error) => faultOf(76, ALWAYS, error)));
    expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
