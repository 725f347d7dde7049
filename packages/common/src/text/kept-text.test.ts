import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KEPT, keepText } from "./kept-text.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-kept-text-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the stored output of a terminal", () => {
  it("is available to the next server, and continues", async () => {
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

  it("is written once the disk accepts it, whatever failed before", async () => {
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

  it("is deleted when it is cleared, except for the prompt's line", async () => {
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

  it("is deleted with the terminal, also while it is being written", async () => {
    const file = join(directory, "gone");
    const keptText = keepText(file);
    keptText.add("secret\r\n");
    await keptText.remove();
    keptText.add("late\r\n");
    await keptText.settled();
    expect(readdirSync(directory)).not.toContain("gone");
  });

  it("F9 a full disk costs the history and nothing else", async () => {
    writeFileSync(join(directory, "a-file"), "");
    const keptText = keepText(join(directory, "a-file", "one"));
    keptText.add("still shown\r\n");
    await keptText.settled();
    expect(keptText.text()).toBe("still shown\r\n");
  });
});
