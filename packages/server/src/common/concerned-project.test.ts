import { EventEmitter, once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { createLastResort, forProject } from "./concerned-project.ts";

const eventEmitter = new EventEmitter();
let taken: ((error: unknown) => void) | undefined;
const before = process.listeners("unhandledRejection");
afterEach(() => {
  if (taken) process.off("unhandledRejection", taken);
  for (const listener of before) process.on("unhandledRejection", listener);
});

/** Replaces the handlers of the tests, as the server's process does. */
function takeAll(): string[] {
  const released: string[] = [];
  taken = createLastResort({
    onNotice: (text) => eventEmitter.emit("notice", text),
    release: async (project) => void released.push(project),
  });
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", taken);
  return released;
}

it("A48 reports an unhandled error, and closes only the project in which it happened", async () => {
  const released = takeAll();
  const notice = once(eventEmitter, "notice");
  forProject("one", () => {
    setImmediate(() => void Promise.resolve().then(() => Promise.reject(new Error("by mistake"))));
  });
  expect((await notice)[0]).toMatch(/in project one, which is ended.*by mistake/s);
  expect(released).toEqual(["one"]);
});

it("reports an error without a project, and closes nothing", async () => {
  const released = takeAll();
  const notice = once(eventEmitter, "notice");
  setImmediate(() => void Promise.reject(new Error("somewhere")));
  expect((await notice)[0]).toMatch(/^Treadle made a mistake\. .*somewhere/s);
  expect(released).toEqual([]);
});

it("A48 limits the number of reported errors", () => {
  const notices: string[] = [];
  let now = 0;
  const lastResort = createLastResort({
    onNotice: (text) => notices.push(text),
    release: async () => undefined,
    now: () => now,
  });
  for (let each = 0; each < 5_000; each++) lastResort(new Error("again"));
  expect(notices).toHaveLength(20);
  now = 60_000;
  lastResort(new Error("later"));
  expect(notices.slice(20)).toEqual([
    "There were 4980 more such mistakes.",
    expect.stringContaining("later"),
  ]);
});
