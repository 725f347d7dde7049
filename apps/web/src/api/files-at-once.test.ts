import { expect, it } from "vitest";
import { filesAtOnce } from "./files-at-once.ts";

const all = Array.from({ length: 20 }, (_, at) => at);
/** Continues after all other waiting tasks have advanced as far. */
const turn = () => Promise.resolve();

it("does all of it, six at a time, and tells how many are done with", async () => {
  let [running, most] = [0, 0];
  const reported: number[] = [];
  const act = async () => {
    most = Math.max(most, ++running);
    await turn();
    running--;
  };
  expect(await filesAtOnce(all, act, { onFile: (done) => reported.push(done) })).toEqual([]);
  expect([most, reported]).toEqual([6, all.map((at) => at + 1)]);
});

it("starts no file after a failure, and ends only when the files in progress are done", async () => {
  const ended: number[] = [];
  const work = filesAtOnce(
    all,
    async (file) => {
      await turn();
      if (file === 1) throw new Error("no");
      await turn();
      ended.push(file);
    },
    {},
  );
  await expect(work).rejects.toThrow("no");
  expect(ended.toSorted((a, b) => a - b)).toEqual([0, 2, 3, 4, 5]);
});

it("when stopped, completes the files in progress and returns those not started", async () => {
  const stop = new AbortController();
  const ended: number[] = [];
  const unstarted = await filesAtOnce(
    all,
    async (file) => {
      if (file === 3) stop.abort();
      await turn();
      ended.push(file);
    },
    { signal: stop.signal },
  );
  expect(ended.toSorted((a, b) => a - b)).toEqual(all.slice(0, 4));
  expect(unstarted).toEqual(all.slice(4));
});
