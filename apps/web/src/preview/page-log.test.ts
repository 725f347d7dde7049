import { describe, expect, it } from "vitest";
import {
  countErrors,
  countLevels,
  EMPTY,
  isFailed,
  MAX_ENTRIES,
  appendMessage,
  type PageLog,
} from "./page-log.ts";
import { readPageMessage, type Level, type PageMessage } from "./page-messages.ts";

const print = (...lines: [Level, string][]): PageMessage => ({
  type: "console",
  dropped: 0,
  entries: lines.map(([level, text], at) => ({ level, text, stack: "", at })),
});
const after = (...messages: PageMessage[]): PageLog => messages.reduce(appendMessage, EMPTY);

describe("a page's console output", () => {
  it("is counted by level, and repeated messages are one line with a number", () => {
    const { printed } = after(
      print(["log", "a"], ["log", "a"], ["error", "b"]),
      print(["log", "a"]),
    );
    expect(printed.map(({ text, count }) => [text, count])).toEqual([
      ["a", 2],
      ["b", 1],
      ["a", 1],
    ]);
    expect(countLevels(printed)).toMatchObject({ log: 3, error: 1, warn: 0 });
  });

  it("is cleared when the page reloads, and ids continue", () => {
    const { printed } = after(print(["log", "a"]), { type: "begin" }, print(["log", "b"]));
    expect(printed).toMatchObject([{ text: "b", id: 2 }]);
  });

  it("reports that the page was denied storage, until it reloads", () => {
    const denied = after({ type: "denied" }, print(["log", "a"]));
    expect([denied.isDenied, appendMessage(denied, { type: "begin" }).isDenied]).toEqual([
      true,
      false,
    ]);
  });

  it("no longer counts errors after a hot update, but still lists them", () => {
    const repaired = after(print(["error", "x is null"]), { type: "updated" });
    expect([countErrors(repaired), repaired.printed.length]).toEqual([0, 1]);
    const again = appendMessage(repaired, print(["error", "x is null"]));
    expect(countErrors(again)).toBe(1);
    expect(again.printed.map(({ count }) => count)).toEqual([1, 1]);
  });

  it("keeps the newest messages if there are too many, and says how many are missing", () => {
    const many = Array.from({ length: MAX_ENTRIES + 5 }, (_, n): [Level, string] => [
      "log",
      String(n),
    ]);
    const log = appendMessage(after(print(...many)), { type: "console", entries: [], dropped: 7 });
    expect(log.printed).toHaveLength(MAX_ENTRIES);
    expect(log.printed[0]?.text).toBe("5");
    expect(log.dropped).toBe(7);
  });

  it("shows the source line if it was found", () => {
    const log = after(print(["log", "a"]), { type: "placed", id: 1, at: "src/a.ts:1:2" });
    expect(log.printed[0]?.place).toBe("src/a.ts:1:2");
  });
});

describe("a message of the page", () => {
  it("is accepted only by its shape", () => {
    expect(readPageMessage({ type: "other" })).toBeUndefined();
    expect(readPageMessage(null)).toBeUndefined();
    expect(
      readPageMessage({ type: "treadle:console", entries: [null, { level: 3, text: {} }] }),
    ).toEqual({
      type: "console",
      dropped: 0,
      entries: [{ level: "log", text: "", stack: "", at: 0 }],
    });
  });

  it("a request without an answer, or refused, failed", () => {
    const fails = (status: number) =>
      isFailed({ url: "", method: "", kind: "", status, ms: 0, size: 0, at: 0 });
    expect([0, 200, 304, 404, 500, -1].map(fails)).toEqual([true, false, false, true, true, false]);
  });
});
