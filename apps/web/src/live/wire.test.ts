import type { LogEntry } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import { createLiveProject, type LiveProjectHandle } from "./project-store.ts";

/** A session of two turns, as it was appended. */
const LIVE = logOf(...sampleRun("r1", "m1"), ...sampleRun("r2", "m2"));

/** The same log after compaction: the pieces of a stream are one entry in the place of the last. */
const COMPACTED = compacted(LIVE);

function compacted(entries: readonly LogEntry[]): LogEntry[] {
  const streamOf = ({ event }: LogEntry) =>
    event.type === "text" || event.type === "reasoning"
      ? `${event.type} ${event.run} ${event.id}`
      : event.type === "call-delta"
        ? `${event.type} ${event.call} ${event.field}`
        : event.type === "output"
          ? `${event.type} ${event.call}`
          : undefined;
  const gathered = new Map<string, string>();
  const last = new Map<string, number>();
  for (const entry of entries) {
    const stream = streamOf(entry);
    if (stream === undefined) continue;
    const { text } = entry.event as { text: string };
    gathered.set(stream, (gathered.get(stream) ?? "") + text);
    last.set(stream, entry.seq);
  }
  return entries.flatMap((entry) => {
    const stream = streamOf(entry);
    if (stream === undefined) return [entry];
    if (last.get(stream) !== entry.seq) return [];
    const completeEvent = { ...entry.event, text: gathered.get(stream), whole: true };
    return [{ ...entry, event: completeEvent as LogEntry["event"] }];
  });
}

/** A server with this log that cuts a connection after a given number of entries. */
class FakeSocket extends EventTarget {
  static log: readonly LogEntry[] = [];
  /** Number of entries sent by each of the next connections; later ones get the rest. */
  static cuts: number[] = [];
  static made = 0;
  readonly #after: number;
  constructor(url: string) {
    super();
    FakeSocket.made++;
    this.#after = Number(new URL(url).searchParams.get("after"));
    void Promise.resolve().then(() => this.#serve());
  }
  #serve(): void {
    this.dispatchEvent(new Event("open"));
    const rest = FakeSocket.log.filter(({ seq }) => seq > this.#after);
    const cut = FakeSocket.cuts.shift();
    this.#send([]);
    for (const entry of rest.slice(0, cut)) this.#send([entry]);
    if (cut !== undefined) this.dispatchEvent(new Event("close"));
  }
  #send(entries: LogEntry[]): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(entries) }));
  }
  close(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", new URL("http://localhost:4173/p/x"));
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  FakeSocket.log = LIVE;
  FakeSocket.cuts = [];
  FakeSocket.made = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const END = LIVE.at(-1)!.seq;

/** Advances time until the page has the whole log. */
async function followed(live: LiveProjectHandle): Promise<LiveProjectHandle> {
  for (let turns = 0; turns < 60 && live.store.getState().view.seq < END; turns++)
    await vi.advanceTimersByTimeAsync(500);
  return live;
}

/** The page's text, independent of the pieces in which it arrived. */
const joinedTexts = (view: unknown): unknown =>
  JSON.parse(
    JSON.stringify(view, (_, value: unknown) => {
      if (value instanceof Map || value instanceof Set) return [...value];
      const pieces = (value as { pieces?: unknown } | null)?.pieces;
      return Array.isArray(pieces) ? pieces.join("") : value;
    }),
  );
const plainView = (live: LiveProjectHandle) => joinedTexts(live.store.getState().view);

describe("F10 a connection that is cut at every event of a session", () => {
  const expected = fold(emptyView(), LIVE);
  const each = LIVE.map(({ seq }) => seq);

  it("brings the page to the same state, wherever a connection breaks", async () => {
    for (const at of each) {
      FakeSocket.cuts = [at];
      const live = createLiveProject("x");
      const stop = live.start();
      await followed(live);
      expect(live.store.getState().view, `cut after ${at}`).toEqual(expected);
      stop();
    }
    // The last cut comes after everything has arrived.
    expect(FakeSocket.made).toBeGreaterThanOrEqual(2 * each.length - 1);
  });

  it("brings the page to the same state when each connection delivers one event", async () => {
    FakeSocket.cuts = each.map(() => 1);
    const live = createLiveProject("x");
    const stop = live.start();
    for (let turns = 0; turns < 2_000 && live.store.getState().view.seq < END; turns++)
      await vi.advanceTimersByTimeAsync(500);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(live.store.getState()).toEqual({ view: expected, connection: "live", loaded: true });
    stop();
  });

  it("F11 shows no text twice and loses none where the log was compacted meanwhile", async () => {
    const expected = fold(emptyView(), COMPACTED);
    for (const at of each) {
      FakeSocket.log = LIVE;
      FakeSocket.cuts = [at];
      const live = createLiveProject("x");
      const stop = live.start();
      await vi.advanceTimersByTimeAsync(300);
      FakeSocket.log = COMPACTED;
      await followed(live);
      expect(plainView(live), `cut after ${at}`).toEqual(joinedTexts(expected));
      stop();
    }
  });
});

it("F26 continues from its position after the machine slept for an hour and its clock jumped", async () => {
  const half = Math.floor(END / 2);
  FakeSocket.log = LIVE.slice(0, half);
  const live = createLiveProject("x");
  const stop = live.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(live.store.getState()).toMatchObject({ connection: "live", view: { seq: half } });
  // The connection died with the network without an error.
  FakeSocket.log = LIVE;
  vi.setSystemTime(Date.now() - 86_400_000);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(joinedTexts(live.store.getState().view)).toEqual(joinedTexts(fold(emptyView(), LIVE)));
  stop();
});
