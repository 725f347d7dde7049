import { expect, test } from "vitest";
import { crashedPart } from "./watcher-crash.ts";

test.each([
  [
    "[nodemon] starting `node a.js`\nError: x\n[nodemon] app crashed - waiting for file changes",
    "app crashed",
  ],
  ["Failed running 'server.js'. Waiting for file changes before restarting...", "Failed running"],
  ["\u001b[34m[1]\u001b[39m node api.js exited with code 1", "node api.js exited with code 1"],
  ['ERROR: "api" exited with 1.', "exited with 1"],
])("a runner that says that its program is over is believed: %s", (printed, words) => {
  expect(crashedPart(printed)).toContain(words);
});

test.each([
  "[nodemon] app crashed - waiting for file changes\n[nodemon] restarting due to changes...\n[nodemon] starting `node a.js`",
  "[0] vite build exited with code 0",
  "ready in 300 ms",
])("what was started again, or ended well, is not: %s", (printed) => {
  expect(crashedPart(printed)).toBeUndefined();
});

test("reads a line of any length once, and quotes a part of it", () => {
  const long = "x ".repeat(500_000);
  expect(crashedPart(`${long}\nready`)).toBeUndefined();
  expect(crashedPart(`a\n${long}api exited with code 1`)).toHaveLength(200);
});
