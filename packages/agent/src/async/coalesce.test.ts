import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { createCoalescer, EVENT_LIMIT } from "./coalesce.ts";

it("keeps the order of streams, joins pieces of one, and divides a burst at its limit", async () => {
  const flushed: string[] = [];
  const coalescer = createCoalescer(createFakeClock());
  const push = (key: string, text: string) =>
    coalescer.push(key, text, (joined) =>
      flushed.push(`${key}:${joined.length > 9 ? joined.length : joined}`),
    );
  push("a", "1");
  push("a", "2");
  push("b", "3");
  push("a", "");
  push("a", "4");
  coalescer.flush();
  expect(flushed).toEqual(["a:12", "b:3", "a:4"]);
  push("c", "x".repeat(EVENT_LIMIT - 1));
  expect(flushed).toHaveLength(3);
  push("c", "x");
  expect(flushed.at(-1)).toBe(`c:${EVENT_LIMIT}`);
});

it("emits automatically after its time", async () => {
  const flushed: string[] = [];
  const coalescer = createCoalescer(createFakeClock());
  coalescer.push("a", "1", (text) => flushed.push(text));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(flushed).toEqual(["1"]);
});
