import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KEPT, keepText } from "./kept-text.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-kept-text-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the text of a terminal", () => {
  it("is there again for the next server, and goes on", async () => {
    const file = join(directory, "deep", "one");
    const first = keepText(file);
    first.add("one\r\n");
    first.add("日本 🌍\r\n");
    await first.settled();
    const second = keepText(file);
    expect(second.text()).toBe("one\r\n日本 🌍\r\n");
    second.add("three\r\n");
    await second.settled();
    expect(keepText(file).text()).toBe("one\r\n日本 🌍\r\nthree\r\n");
  });

  it("is written once the disk takes it, whatever failed before", async () => {
    const blocked = join(directory, "blocked");
    writeFileSync(blocked, "no folder");
    const file = join(blocked, "one");
    const keptText = keepText(file);
    keptText.add("one\r\n");
    await keptText.settled();
    rmSync(blocked);
    keptText.add("two\r\n");
    await keptText.settled();
    expect(keepText(file).text()).toBe("one\r\ntwo\r\n");
  });

  it("F18 stays small in memory and on disk, however much is printed", async () => {
    const file = join(directory, "long");
    const keptText = keepText(file);
    const line = `${"x".repeat(98)}\r\n`;
    const piece = line.repeat(6_400);
    for (let written = 0; written < 100 * 1024 * 1024; written += piece.length) {
      keptText.add(piece);
      if (written % (piece.length * 100) === 0) await keptText.settled();
    }
    keptText.add("the last line\r\n");
    expect(keptText.text().length).toBeLessThanOrEqual(2 * KEPT);
    await keptText.settled();
    const text = readFileSync(file, "utf8");
    expect(text.length).toBeLessThanOrEqual(2 * KEPT);
    expect(text.length).toBeGreaterThan(KEPT / 2);
    expect(text.startsWith("xxx")).toBe(true);
    expect(text.endsWith("the last line\r\n")).toBe(true);
    const again = keepText(file).text();
    expect(again.length).toBeGreaterThan(KEPT / 2);
    expect(text.endsWith(`\n${again}`) || text === again).toBe(true);
    expect(keepText(file).tail(10)).toBe(text.slice(-10));
  });

  it("is forgotten when it is cleared, but for the line where the shell waits", async () => {
    const file = join(directory, "cleared");
    const keptText = keepText(file);
    keptText.add("one\r\ntwo\r\n$ ");
    await keptText.settled();
    keptText.clear();
    expect(keptText.text()).toBe("$ ");
    await keptText.settled();
    expect(keepText(file).text()).toBe("$ ");
    keptText.add("ls\r\n");
    await keptText.settled();
    keptText.clear();
    await keptText.settled();
    expect(readFileSync(file, "utf8")).toBe("");
  });

  it("is forgotten with the terminal, also while it is being written", async () => {
    const file = join(directory, "gone");
    const keptText = keepText(file);
    keptText.add("secret\r\n");
    await keptText.remove();
    keptText.add("late\r\n");
    await keptText.settled();
    expect(readdirSync(directory)).not.toContain("gone");
  });

  it("F9 a disk that takes nothing costs the past and nothing else", async () => {
    writeFileSync(join(directory, "a-file"), "");
    const keptText = keepText(join(directory, "a-file", "one"));
    keptText.add("still shown\r\n");
    await keptText.settled();
    expect(keptText.text()).toBe("still shown\r\n");
  });
});
