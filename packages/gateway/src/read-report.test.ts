import { expect, test } from "vitest";
import { readReport } from "./read-report.ts";

const good = {
  path: "/a?b",
  status: 200,
  contentType: "text/html",
  title: "T",
  rendered: true,
  text: "hello",
  uncaughtErrors: [{ message: "m", stack: "s" }],
  consoleErrors: [],
  failedRequests: [{ method: "GET", url: "/x", status: 404 }],
  ms: 12,
};
const read = (value: unknown) => readReport(JSON.stringify(value));

test("parses a report of the probe", () => {
  expect(read(good)).toEqual({ source: "probe", ...good });
});

test.each([
  null,
  [],
  "x",
  { ...good, path: "http://evil" },
  { ...good, status: "200" },
  { ...good, ms: -1 },
  { ...good, consoleErrors: [{}] },
  { ...good, rendered: undefined },
])("rejects an invalid report: %j", (value) => {
  expect(read(value)).toBeUndefined();
  expect(readReport("{")).toBeUndefined();
});

test("shortens texts and lists, and drops unknown fields", () => {
  const report = read({
    ...good,
    source: "headless",
    more: 1,
    text: "x".repeat(5000),
    overlay: "y".repeat(9000),
    uncaughtErrors: Array.from({ length: 99 }, () => ({ message: "z".repeat(3000) })),
  });
  expect(report?.source).toBe("probe");
  expect(report).not.toHaveProperty("more");
  expect(report?.text).toHaveLength(2000);
  expect(report?.overlay).toHaveLength(8000);
  expect(report?.uncaughtErrors).toHaveLength(20);
  expect(report?.uncaughtErrors[0]?.message).toHaveLength(2000);
});

test("attributes errors by which a browser denies something to the frame, if there is one", () => {
  const refused = [
    { message: "SecurityError: x" },
    { message: "Uncaught NotAllowedError: x" },
    { message: "TypeError: SecurityError" },
  ];
  const by = (frame: number) =>
    read({ ...good, frame, uncaughtErrors: refused })!.uncaughtErrors.map((one) => one.by);
  expect(by(0)).toEqual([undefined, undefined, undefined]);
  expect(by(1)).toEqual(["frame", "frame", undefined]);
  expect(read({ ...good, frame: 1 })).not.toHaveProperty("frameDenied");
  expect(read({ ...good, frame: 2 })).toHaveProperty("frameDenied", true);
});
