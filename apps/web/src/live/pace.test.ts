import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import { logOf } from "../fold/log.test-support.ts";
import { createPace } from "./pace.ts";

const delta = (length: number, call = "c1"): LogEvent => ({
  type: "call-delta",
  call,
  field: "content",
  text: "x".repeat(length),
  path: "a.js",
});
const text: LogEvent = { type: "text", run: "r", id: "t", text: "So." };

it("a long file is drawn less often, and text as usual", () => {
  const pace = createPace();
  const log = logOf(delta(7_000), delta(900), delta(200), delta(10), text);
  expect(pace(log.slice(0, 1))).toBe(50);
  expect(pace(log.slice(0, 2))).toBe(50);
  expect(pace(log.slice(2, 3))).toBe(200);
  expect(pace(log.slice(3, 4))).toBe(200);
  expect(pace(log.slice(3, 5))).toBe(50);
});

it("waiting text is counted once, however often it is queried", () => {
  const pace = createPace();
  const log = logOf(delta(3_000));
  for (let asked = 0; asked < 10; asked++) expect(pace(log)).toBe(50);
});

it("the next file starts again from its beginning", () => {
  const pace = createPace();
  const log = logOf(delta(9_000), delta(100, "c2"));
  expect(pace(log.slice(0, 1))).toBe(400);
  expect(pace(log.slice(1, 2))).toBe(50);
});

it("text faster than anybody can read is drawn even less often", () => {
  const pace = createPace();
  const log = logOf(delta(9_000), delta(1_500), delta(1_500), text);
  pace(log.slice(0, 1));
  expect(pace(log.slice(1, 2))).toBe(200);
  expect(pace(log.slice(1, 3))).toBe(400);
  expect(pace(log.slice(1, 4))).toBe(50);
});
