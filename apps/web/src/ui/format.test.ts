import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatClock,
  formatCosts,
  count,
  formatDuration,
  formatMoney,
  shownOutput,
  formatTokens,
} from "./format.ts";

describe("numbers as the page shows them", () => {
  it("shows times", () => {
    expect([0, 41_200, 725_000, 3_723_000].map(formatClock)).toEqual([
      "0:00",
      "0:41",
      "12:05",
      "1:02:03",
    ]);
    expect([480, 9_949, 9_950, 119_499, 119_500].map(formatDuration)).toEqual([
      "0.5 s",
      "9.9 s",
      "10 s",
      "119 s",
      "2 min",
    ]);
  });

  it("shows tokens, money and sizes", () => {
    expect([999, 1000, 9_400, 9_600, 12_400, 1_200_000].map(formatTokens)).toEqual([
      "999",
      "1k",
      "9.4k",
      "9.6k",
      "12k",
      "1.2M",
    ]);
    expect([0, 0.004, 0.031, 12].map(formatMoney)).toEqual([
      "$0",
      "under $0.01",
      "$0.03",
      "$12.00",
    ]);
    expect([812, 9_400, 1_230_000].map(formatBytes)).toEqual(["812 B", "9 KB", "1.2 MB"]);
  });

  it("omits the cost if the price is unknown", () => {
    expect(formatCosts(41_000, 9000)).toBe("0:41 · 9k tokens");
    expect(formatCosts(1000, 0)).toBe("0:01");
    expect(formatCosts(41_000, 9000, 0.03)).toBe("0:41 · 9k tokens · $0.03");
  });

  it("says how long ago", () => {
    const now = 1_000_000_000;
    expect(formatAgo(now - 59_000, now)).toBe("just now");
    expect(formatAgo(now - 120_000, now)).toBe("2 min ago");
    expect(formatAgo(now - 3 * 3_600_000, now)).toBe("3 h ago");
  });

  it("counts", () => {
    expect([count(1, "error"), count(2, "error"), count(2, "entry", "entries")]).toEqual([
      "1 error",
      "2 errors",
      "2 entries",
    ]);
  });
});

describe("terminal output as text", () => {
  it("loses its colours and links (A41)", () => {
    expect(shownOutput("\u001b[32madded\u001b[0m 12")).toBe("added 12");
    expect(shownOutput("\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007")).toBe("click");
    expect(shownOutput("\u001b]52;c;c2VjcmV0\u0007after")).toBe("after");
  });

  it("shows the last state of a line that was overwritten", () => {
    expect(shownOutput("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  });
});

it("A42 shows characters that reverse text", () => {
  expect(shownOutput("\u001b[1mok \u202egpj.exe")).toBe("ok \\u{202e}gpj.exe");
});
