import { assert, property, array, string, nat } from "fast-check";
import { describe, expect, it } from "vitest";
import { createBacklog } from "./backlog.ts";

describe("the newest of a text that grows", () => {
  it("is the same as the end of all of it, wherever it is read", () => {
    assert(
      property(array(string({ maxLength: 50 })), nat(), nat(60), (texts, from, most) => {
        const kept = createBacklog(100_000);
        for (const text of texts) kept.add(text);
        const all = texts.join("");
        expect([kept.begin, kept.end, kept.slice(0)]).toEqual([0, all.length, all]);
        const place = all.length === 0 ? 0 : from % all.length;
        expect(kept.slice(place, most)).toBe(all.slice(place, place + most));
      }),
    );
  });

  it("drops the oldest, whole lines at a time, and keeps at least what it must", () => {
    const kept = createBacklog(200_000);
    let all = "";
    for (let line = 0; line < 50_000; line++) {
      const text = `line ${line}\r\n`;
      all += text;
      kept.add(text);
    }
    const text = kept.slice(0);
    expect(text.length).toBeGreaterThan(199_000);
    expect(text.length).toBeLessThan(300_000);
    expect(all.endsWith(`\n${text}`)).toBe(true);
    expect(text).toMatch(/^line \d+\r\n/);
    expect(kept.slice(kept.end - 5)).toBe(all.slice(-5));
    expect(kept.begin + text.length).toBe(kept.end);
  });

  it("forgets what stands before a place, and goes on", () => {
    const kept = createBacklog(1000);
    kept.add("one\ntwo\n$ ");
    kept.dropBefore(8);
    expect(kept.slice(0)).toBe("$ ");
    kept.dropBefore(kept.end);
    kept.add("after");
    expect([kept.slice(0), kept.end]).toEqual(["after", 15]);
  });
});
