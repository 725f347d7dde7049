import { describe, expect, it } from "vitest";
import { createPacedSender, WINDOW, type ToPage } from "./paced-sender.ts";

/** A page that draws when it is told to. */
function slowPage(past: () => string) {
  const got: ToPage[] = [];
  const state = { waiting: 0, sent: [] as (() => void)[] };
  const sender = createPacedSender({
    send(message, sent) {
      got.push(message);
      state.sent.push(sent);
    },
    waiting: () => state.waiting,
    past,
  });
  return { got, state, sender };
}

describe("output on its way to a page (F19)", () => {
  it("waits for a page that says what it has drawn, and then sends what is kept", () => {
    let all = "begin ";
    const { got, sender } = slowPage(() => all.slice(-100));
    sender.begin();
    sender.drawn(6);
    const piece = "y".repeat(16 * 1024);
    for (let n = 0; n < 1000; n++) {
      all += piece;
      sender.data(piece);
    }
    const characters = got.map((message) => ("data" in message ? message.data.length : 0));
    const sum = characters.reduce((a, b) => a + b, 0);
    expect(sum).toBeLessThan(WINDOW.most + 2 * piece.length);
    const before = got.length;
    sender.drawn(sum - WINDOW.least - 100);
    expect(got).toHaveLength(before);
    sender.drawn(100);
    expect(got.at(-1)).toEqual({ type: "past", data: "y".repeat(100) });
    sender.data("live again");
    expect(got.at(-1)).toEqual({ type: "data", data: "live again" });
  });

  it("paces who says nothing by what waits in its socket", () => {
    const { got, state, sender } = slowPage(() => "the newest");
    sender.data("one");
    state.waiting = WINDOW.most + 1;
    sender.data("two");
    sender.data("three");
    expect(got).toEqual([{ type: "data", data: "one" }]);
    state.waiting = 0;
    for (const sent of state.sent) sent();
    expect(got.slice(1)).toEqual([{ type: "past", data: "the newest" }]);
  });
});
