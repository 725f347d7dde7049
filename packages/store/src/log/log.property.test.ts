import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project, runEnd } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import type { Store } from "../types.ts";
import { streamOf } from "./stream-of.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-log-"));
let store: Store;
beforeAll(async () => {
  store = await openStore({ directory });
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

type Step =
  | { do: "append"; events: LogEvent[] }
  | { do: "settle" | "compact" | "end" }
  | { do: "follow"; back: number };

const word = fc.string({ maxLength: 5, unit: "grapheme" });
const event: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({
    type: fc.constant("text" as const),
    run: fc.constant("r1"),
    id: fc.constantFrom("t1", "t2"),
    text: word,
  }),
  fc.record({
    type: fc.constant("call-delta" as const),
    call: fc.constantFrom("c1", "c2"),
    field: fc.constant("content"),
    text: word,
  }),
  fc.record({ type: fc.constant("call-start" as const), call: word }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("append" as const), events: fc.array(event) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("settle", "compact", "end") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("follow" as const), back: fc.nat(9) }) },
);

/** A reader's final state: the standalone events in order, and the text of each stream. */
function fold(events: LogEvent[]) {
  const texts = new Map<string, string>();
  const alone: LogEvent[] = [];
  let run = 0;
  for (const one of events) {
    if (one.type === "run-end") run++;
    const key = streamOf(one);
    if (key === undefined) alone.push(one);
    else {
      const piece = one as { text: string; whole?: true };
      const before = piece.whole ? "" : (texts.get(`${run}:${key}`) ?? "");
      texts.set(`${run}:${key}`, before + piece.text);
    }
  }
  return { texts, alone };
}

let projects = 0;

async function play(steps: Step[]): Promise<void> {
  const id = `p${++projects}`;
  await store.projects.create(project(id));
  const appended: LogEvent[] = [];
  const followers: { after: number; got: LogEntry[]; done: Promise<void> }[] = [];

  const startFollower = (after: number) => {
    const got: LogEntry[] = [];
    const done = new Promise<void>((resolve) => {
      const stop = store.log.follow(id, after, async (entries) => {
        got.push(...entries);
        // Every other batch is slow, so that compaction and appending happen meanwhile.
        if (got.length % 2 === 0) await store.log.settled();
        if (entries.some((entry) => entry.event.type === "project-renamed")) {
          stop();
          resolve();
        }
      });
    });
    followers.push({ after, got, done });
  };
  const append = (one: LogEvent) => {
    appended.push(one);
    store.log.append(id, one);
  };

  startFollower(0);
  const pending: Promise<void>[] = [];
  for (const one of steps) {
    if (one.do === "append") for (const each of one.events) append(each);
    else if (one.do === "settle") await store.log.settled();
    else if (one.do === "end") append(runEnd);
    else if (one.do === "compact") pending.push(store.log.compact(id));
    else if (one.do === "follow") startFollower(Math.max(0, appended.length - one.back));
  }
  append({ type: "project-renamed", name: "last" });
  await Promise.all([...pending, ...followers.map(({ done }) => done)]);
  await store.log.compact(id);

  const all = fold(appended);
  for (const { after, got } of followers) {
    const numbers = got.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(numbers[0]).toBeGreaterThan(after);
    const events = got.map((entry) => entry.event);
    expect(fold(events).alone).toEqual(fold(appended.slice(after)).alone);
    if (after === 0) expect(fold(events).texts).toEqual(all.texts);
  }
  const retained = (await store.log.read(id, 0)).map((entry) => entry.event);
  expect(fold(retained)).toEqual(all);
}

describe("the log under any interleaving of append, follow and compact", () => {
  it("shows every reader the same, without gaps or duplicates (F10, F11)", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), play), { numRuns: 60 });
  });
});
