import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { project, runEnd, text } from "../contract.test-support.ts";
import { silentDoorbell, type Engine } from "../engine.ts";
import { openStore } from "../open-store.ts";
import type { Store } from "../types.ts";
import { SAID_HEAD, SAID_TAIL } from "./gathered-text.ts";
import { PENDING_BYTES } from "./group-commit.ts";
import { createLog } from "./log.ts";

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-endless-"));
  store = await openStore({ directory });
  await store.projects.create(project("a"));
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

describe("F33 an endless answer", () => {
  it("is one text with head and tail once its run has ended, and the log keeps them", async () => {
    const piece = "x".repeat(512 * 1024);
    const pieces = (SAID_HEAD + SAID_TAIL) / piece.length + 3;
    store.log.append("a", { type: "message", message: "m1", role: "user", text: "Hi", queued: false }); // prettier-ignore
    store.log.append("a", text("first"));
    for (let n = 0; n < pieces; n++) store.log.append("a", text(piece));
    store.log.append("a", text("last"));
    store.log.append("a", runEnd);
    await store.log.compact("a");
    const [, joinedEntry, end, ...more] = await store.log.read("a", 0);
    expect(end?.event).toEqual(runEnd);
    expect(more).toEqual([]);
    expect(joinedEntry?.event).toMatchObject({ type: "text", whole: true });
    const message = joinedEntry?.event.type === "text" ? joinedEntry.event.text : "";
    expect(message).toMatch(/^first[^]*characters left out[^]*last$/);
    expect(message.length).toBeLessThan(SAID_HEAD + SAID_TAIL + 100);
  });

  it("is not read if only the facts are requested", async () => {
    store.log.append("a", text("one"));
    store.log.append("a", { type: "call-open", run: "r1", call: "c", tool: "write_file" });
    store.log.append("a", { type: "output", call: "c", text: "two" });
    store.log.append("a", runEnd);
    await store.log.settled();
    const facts = await store.log.readFacts("a", 0);
    expect(facts.map(({ event }) => event.type)).toEqual(["call-open", "run-end"]);
    expect(await store.log.readFacts("a", facts.at(-1)!.seq)).toEqual([]);
  });

  it("is replaced by a sentence if the message is too long to be read; other messages are unaffected", async () => {
    const message = (id: string, length: number) => ({
      id,
      role: "assistant" as const,
      parts: [{ type: "text", text: "x".repeat(length) }],
    });
    await store.messages.put("a", message("short", 10));
    await store.messages.put("a", message("long", 33 * 1024 * 1024));
    const [short, long] = await store.messages.list("a");
    expect(short).toEqual(message("short", 10));
    expect(long).toMatchObject({ id: "long", role: "assistant" });
    expect(JSON.stringify(long).length).toBeLessThan(500);
  });
});

describe("a log on a disk that accepts nothing", () => {
  /** Writes that never finish. */
  const stuck = () =>
    createLog({ appendEntries: () => new Promise(() => {}), doorbell: silentDoorbell, fences: { isOn: () => false } } as unknown as Engine, () => {}); // prettier-ignore
  const piece = text("x".repeat(PENDING_BYTES / 8));

  it("refuses pieces of texts beyond its limit, still accepts how things end, and reports the loss once", async () => {
    const log = stuck();
    const taken = Array.from({ length: 9 }, () => log.append("a", piece));
    expect(taken.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => true));
    expect(taken.at(-1)).toBe(false);
    expect(log.append("a", runEnd)).toBe(true);
    await expect(log.settled("a")).rejects.toMatchObject({ code: "full" });
    const waits = await Promise.race([
      log.settled("a").then(() => "settled"),
      new Promise((resolve) => setImmediate(() => resolve("waits"))),
    ]);
    expect(waits).toBe("waits");
  });

  it("reports the loss for the affected project only", async () => {
    const log = stuck();
    for (let n = 0; n < 9; n++) log.append("a", piece);
    log.append("b", text("small"));
    void log.settled("b").catch(() => expect.unreachable());
    await expect(log.settled("a")).rejects.toMatchObject({ code: "full" });
  });
});
