import { expect, test } from "vitest";
import { leavesBehind } from "./leaves-behind.ts";

test.each([
  "nohup npm run dev > /tmp/dev.log 2>&1 & sleep 4; curl -s localhost:5173",
  "node server.js & sleep 2 && curl localhost:3000",
  "npm run dev &\ncurl localhost",
  "npm start &> log & echo started",
])("a server in the background that is only looked at is left behind: %s", (command) => {
  expect(leavesBehind(command)).toBe(true);
});

test.each([
  "npm start",
  "vite & node api.js",
  "npm run build && npm start",
  "node a.js 2>&1",
  "a && sleep 1",
])("what goes on is not: %s", (command) => expect(leavesBehind(command)).toBe(false));

test("a command of any length is read once", () => {
  for (const long of ["0", "\n", " "])
    expect(leavesBehind(`npm start &${long.repeat(200_000)}!`)).toBe(false);
});
