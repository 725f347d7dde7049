import { afterAll, describe, expect, it } from "vitest";
import {
  ALWAYS,
  DISK_ERRORS,
  faultOf,
  noFaults,
  openFaultyDisk,
} from "./faulty-disk.test-support.ts";

/** Writes of the session that fail here, each as another error; every one has its turn in `npm run soak disk`. */
const ONCE = [4, 60, 93, 120, 171, 205];
const FROM_THERE_ON = [30, 98, 158];

describe.skipIf(noFaults !== undefined)("F9 a disk that fails at a write of a session", () => {
  const disk = noFaults === undefined ? openFaultyDisk() : undefined;
  afterAll(() => disk?.remove());

  it("what fails says why, what was acknowledged stays, the server lives", async () => {
    const errorAt = (index: number) => DISK_ERRORS[index % DISK_ERRORS.length]!;
    const faults = [
      faultOf(0, 0, "EIO"),
      ...ONCE.map((at, index) => faultOf(at, 1, errorAt(index))),
      ...FROM_THERE_ON.map((at, index) => faultOf(at, ALWAYS, errorAt(index))),
    ];
    const tried = await disk!.try(faults);
    expect(tried.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(tried).toHaveLength(faults.length);
    // Otherwise the last of them came after the session.
    expect(tried[0]?.calls).toBeGreaterThan(Math.max(...ONCE));
  });

  it("a start whose tables could not all be made is made up for by the next one (write 80, EIO)", async () => {
    const [tried] = await disk!.try([faultOf(80, 1, "EIO")]);
    expect(tried?.problems).toEqual([]);
  });

  it("a start whose token could not be kept says why, and leaves the folder to the next one (write 76)", async () => {
    const tried = await disk!.try(DISK_ERRORS.map((error) => faultOf(76, ALWAYS, error)));
    expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
