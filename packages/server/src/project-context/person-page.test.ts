import { describe, expect, test } from "vitest";
import { createPersonPage } from "./person-page.ts";

const never = new AbortController().signal;

/** Whether it is resolved by now, without waiting for any time to pass. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  const turn = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([waiting.then(() => true), turn]);
}

describe("a page on its way to the person", () => {
  test("nothing is waited for where no page is on its way", async () => {
    const page = createPersonPage({ now: () => 0 });
    expect(await isOver(page.settled(never))).toBe(true);
    page.drawn();
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("it is waited for until it is drawn, by everybody who waits", async () => {
    const page = createPersonPage({ now: () => 0 });
    page.begins();
    const waiting = [page.settled(never), page.settled(never)];
    expect(await isOver(Promise.race(waiting))).toBe(false);
    page.begins();
    page.drawn();
    await Promise.all(waiting);
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("one that draws nothing is waited for while it asks for more, and for 5 s at most", async () => {
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

  test("it is expected where somebody follows as the server comes up, once for each start", async () => {
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

  test("one that stands still is not waited for", async () => {
    let now = 0;
    const page = createPersonPage({ now: () => now });
    page.begins();
    now = 2_000;
    expect(await isOver(page.settled(never))).toBe(true);
  });

  test("who is ended does not wait on", async () => {
    const page = createPersonPage({ now: () => 0 });
    page.begins();
    const end = new AbortController();
    const waiting = page.settled(end.signal);
    end.abort();
    await waiting;
    expect(await isOver(page.settled(never))).toBe(false);
  });
});
