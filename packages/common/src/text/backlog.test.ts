import { assert, property, array, string, nat } from "fast-check";
import { describe, expect, it } from "vitest";
import { createBacklog } from "./backlog.ts";

describe("the stored end of a growing text", () => {
  it("equals the end of the whole text, from any position", () => {
    assert(
      property(array(string({ maxLength: 50 })), nat(), nat(60), (texts, from, most) => {
        const backlog = createBacklog(100_000);
        for (const text of texts) backlog.add(text);
        const all = texts.join("");
        expect([backlog.begin, backlog.end, backlog.slice(0)]).toEqual([0, all.length, all]);
        const place = all.length === 0 ? 0 : from % all.length;
        expect(backlog.slice(place, most)).toBe(all.slice(place, place + most));
      }),
    );
  });

  it("drops the oldest text, in whole lines, and keeps at least the minimum", () => {
    const backlog = createBacklog(200_000);
    let all = "";
    for (let line = 0; line < 50_000; line++) {
      const text = `line ${line}\r\n`;
      all += text;
      backlog.add(text);
    }
    const text = backlog.slice(0);
    expect(text.length).toBeGreaterThan(199_000);
    expect(text.length).toBeLessThan(300_000);
    expect(all.endsWith(`\n${text}`)).toBe(true);
    expect(text).toMatch(/^line \d+\r\n/);
    expect(backlog.slice(backlog.end - 5)).toBe(all.slice(-5));
    expect(backlog.begin + text.length).toBe(backlog.end);
  });

  it("drops everything before a position, and continues", () => {
    const backlog = createBacklog(1000);
    backlog.add("one\ntwo\n$ ");
    backlog.dropBefore(8);
    expect(backlog.slice(0)).toBe("$ ");
    backlog.dropBefore(backlog.end);
    backlog.add("after");
    expect([backlog.slice(0), backlog.end]).toEqual(["after", 15]);
  });
});
