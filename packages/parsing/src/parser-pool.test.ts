import { afterEach, describe, expect, it } from "vitest";
import { createParserPool, type ParserPool, type PoolJob } from "./parser-pool.ts";

/** A parser module with this body. */
const parser = (body: string) =>
  `data:text/javascript,${encodeURIComponent(`export function parse(text) { ${body} }`)}`;
const UPPER = parser("return text.toUpperCase();");
const ENDLESS = parser("for (;;);");

let pool: ParserPool | undefined;
afterEach(() => pool?.close());

function start(limits = {}): (job: Partial<PoolJob>) => Promise<unknown> {
  pool = createParserPool({
    threads: 1,
    heapMegabytes: 32,
    loadMs: 60_000,
    idleMs: 60_000,
    waitingPerLane: 10,
    ...limits,
  });
  return (job) => pool!.run({ module: UPPER, args: ["a"], limitMs: 60_000, lane: "", ...job });
}

describe("A166 a pool of parser threads", () => {
  it("returns what a parser returns", async () => {
    const run = start();
    expect(await run({})).toBe("A");
    expect(await run({ args: ["b"] })).toBe("B");
  });

  it("ends a text that takes longer than its limit, and reads the next one", async () => {
    const run = start();
    const endless = run({ module: ENDLESS, limitMs: 50 });
    const next = run({});
    await expect(endless).rejects.toMatchObject({ code: "timeout" });
    expect(await next).toBe("A");
  });

  it("ends a text that needs more memory than a thread has", async () => {
    const run = start();
    const grows = parser("const all = []; for (;;) all.push([text, all.length]);");
    await expect(run({ module: grows })).rejects.toMatchObject({ code: "memory" });
    expect(await run({})).toBe("A");
  });

  it("reports a parser that throws or overflows its stack", async () => {
    const run = start();
    const throws = run({ module: parser("throw new Error('not text');") });
    await expect(throws).rejects.toMatchObject({ code: "failed", message: "not text" });
    const overflows = run({ module: parser("return parse(text) + 1;") });
    await expect(overflows).rejects.toMatchObject({ code: "failed" });
    expect(await run({})).toBe("A");
  });

  it("gives up a text when its caller does, whether it is being read or waits", async () => {
    const run = start();
    const stop = new AbortController();
    const reading = run({ module: ENDLESS, signal: stop.signal });
    const waiting = run({ signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(run({ signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(await run({})).toBe("A");
  });

  it("lets lanes take turns, and refuses a lane that is full", async () => {
    const run = start({ waitingPerLane: 2 });
    const order: string[] = [];
    const add = (lane: string, name: string) => run({ lane }).then(() => order.push(name));
    const first = add("flood", "first");
    const all = [add("flood", "second"), add("flood", "third"), add("other", "guest")];
    await expect(run({ lane: "flood" })).rejects.toMatchObject({ code: "busy" });
    await Promise.all([first, ...all]);
    expect(order).toEqual(["first", "second", "guest", "third"]);
  });
});
