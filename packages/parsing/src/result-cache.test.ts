import { expect, it } from "vitest";
import { ParserFailure } from "./parser-failure.ts";
import { createResultCache } from "./result-cache.ts";

it("parses a text once, also if it failed for good", async () => {
  const cache = createResultCache(10_000);
  let calls = 0;
  const parse = async () => `${++calls}`;
  expect(await cache.get("m", ["a"], parse)).toBe("1");
  expect(await cache.get("m", ["a"], parse)).toBe("1");
  expect(await cache.get("m", ["b"], parse)).toBe("2");
  const fail = (code: "timeout" | "busy") => () => (
    calls++,
    Promise.reject(new ParserFailure(code, code))
  );
  for (const code of ["timeout", "timeout", "busy", "busy"] as const)
    await cache.get("m", [code], fail(code)).catch(() => undefined);
  // Only the request that was refused as busy is tried again.
  expect(calls).toBe(5);
});

it("forgets what was used least recently once it is full", async () => {
  const cache = createResultCache(5_000);
  let calls = 0;
  const parse = async () => "x".repeat(1_500 + calls++);
  for (const text of ["a", "b", "a", "c", "a"]) await cache.get("m", [text], parse);
  expect(calls).toBe(3);
  await cache.get("m", ["b"], parse);
  expect(calls).toBe(4);
});
