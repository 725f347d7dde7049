import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBacklog } from "../../../common/src/text/backlog.ts";
import { BEHIND_CHARS, createPacedSender, WINDOW_CHARS, type ToPage } from "./paced-sender.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that draws on request, and the content of its screen. */
function slowPage(limit = 8 * BEHIND_CHARS) {
  const text = createBacklog(limit);
  const got: ToPage[] = [];
  const state = { waiting: 0, sent: [] as (() => void)[], shown: "" };
  const sender = createPacedSender({
    send(message, sent) {
      got.push(message);
      state.sent.push(sent);
      if (message.type === "past" && !message.goesOn) state.shown = "";
      if ("data" in message) state.shown += message.data;
    },
    waiting: () => state.waiting,
    text,
  });
  const print = (piece: string) => {
    text.add(piece);
    sender.more();
  };
  return { got, state, sender, text, print };
}

/** Draws everything that is sent, until nothing more arrives. */
function drawAll({ state, sender }: ReturnType<typeof slowPage>, before = 0): void {
  let drawn = before;
  for (let rounds = 0; rounds < 10_000; rounds++) {
    const more = state.shown.length - drawn;
    if (more === 0) return;
    drawn = state.shown.length;
    sender.drawn(more);
  }
}

describe("sending output to a page (F19)", () => {
  it("is in order and complete for a slow page, and no faster than it draws", () => {
    const page = slowPage();
    page.sender.drawn(1);
    let all = "";
    for (let n = 0; n < 60; n++) {
      const piece = `${n} ${"y".repeat(16 * 1024)}\n`;
      all += piece;
      page.print(piece);
    }
    expect(page.state.shown.length).toBeLessThanOrEqual(WINDOW_CHARS + 64 * 1024);
    drawAll(page);
    expect(page.state.shown).toBe(all);
    expect(page.got.every(({ type }) => type === "data")).toBe(true);
  });

  it("skips output for a page far behind, and sends all stored output once it is quiet", () => {
    const page = slowPage();
    const { got, state, sender, text } = page;
    sender.drawn(1);
    const line = `${"y".repeat(99)}\n`;
    for (let n = 0; n < 400; n++) page.print(line.repeat(100));
    expect(state.shown.length).toBeLessThanOrEqual(WINDOW_CHARS + 64 * 1024);
    const held = state.shown.length;
    sender.drawn(held);
    const newest = got.find(({ type }) => type === "past");
    expect(newest).toMatchObject({ data: expect.stringMatching(/^y{99}\n/) });
    drawAll(page);
    expect(text.slice(text.end - state.shown.length)).toBe(state.shown);
    page.print("live again\n");
    expect(got.at(-1)).toEqual({ type: "data", data: "live again\n" });
    drawAll(page, state.shown.length - 11);
    sender.drawn(10 * WINDOW_CHARS);
    vi.advanceTimersByTime(10_000);
    drawAll(page);
    expect(state.shown).toBe(text.slice(0));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("paces clients without acknowledgements by their socket's queue", () => {
    const { got, state, print } = slowPage();
    print("one");
    state.waiting = WINDOW_CHARS;
    print("two");
    print("three");
    expect(got).toEqual([{ type: "data", data: "one" }]);
    state.waiting = 0;
    for (const sent of state.sent) sent();
    expect(got.slice(1)).toEqual([{ type: "data", data: "twothree" }]);
  });

  it("begins with earlier output, marked as such, and shows a cleared screen again", () => {
    const text = createBacklog(BEHIND_CHARS);
    text.add("x".repeat(100_000));
    const got: ToPage[] = [];
    const sender = createPacedSender({ send: (one) => got.push(one), waiting: () => 0, text });
    sender.more();
    expect(got.map((one) => [one.type, "goesOn" in one])).toEqual([
      ["past", false],
      ["past", true],
    ]);
    text.add("\n$ ");
    text.dropBefore(text.end - 2);
    sender.more();
    expect(got.at(-1)).toEqual({ type: "past", data: "$ " });
  });
});
