import { describe, expect, test } from "vitest";
import { createPersonPage } from "./person-page.ts";

const never = new AbortController().signal;

/** Whether it has resolved by now, without letting time pass. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  const turn = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([waiting.then(() => true), turn]);
}

describe("a page that is loading for the person", () => {
  test("is not waited for if there is none", async () => {
    const page = createPersonPage({ now: () => 0 });
    expect(await isOver(page.settled(never))).toBe(true);
    page.drawn();
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("is waited for by all callers until it is drawn", async () => {
    const page = createPersonPage({ now: () => 0 });
    page.begins();
    const waiting = [page.settled(never), page.settled(never)];
    expect(await isOver(Promise.race(waiting))).toBe(false);
    page.begins();
    page.drawn();
    await Promise.all(waiting);
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("is waited for while it makes requests, for at most 5 s, if it draws nothing", async () => {
    let now = 0;
    const page = createPersonPage({ now: () => now });
    page.begins();
    for (const moment of [1_900, 3_800, 4_900]) {
      now = moment;
      expect(await isOver(page.settled(never))).toBe(false);
      page.goesOn();
    }
    now = 5_000;
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("is expected if someone follows as the server comes up, once for each start", async () => {
    const page = createPersonPage({ now: () => 0 });
    page.serverUp(1);
    expect(await isOver(page.settled(never))).toBe(true);
    let stopped = false;
    const leave = page.following(() => (stopped = true));
    page.serverUp(1);
    expect(await isOver(page.settled(never))).toBe(true);
    page.serverUp(2);
    expect(await isOver(page.settled(never))).toBe(false);
    page.drawn();
    leave();
    page.serverUp(3);
    expect(await isOver(page.settled(never))).toBe(true);
    expect(stopped).toBe(true);
  });

  test("is not waited for if it makes no progress", async () => {
    let now = 0;
    const page = createPersonPage({ now: () => now });
    page.begins();
    now = 2_000;
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("is not waited for after an abort", async () => {
    const page = createPersonPage({ now: () => 0 });
    page.begins();
    const end = new AbortController();
    const waiting = page.settled(end.signal);
    end.abort();
    await waiting;
    expect(await isOver(page.settled(never))).toBe(false);
  });
});
