import { expect, it } from "vitest";
import { thrownIn } from "./thrown-in.ts";

it("is the thrown error and its position", () => {
  const printed = `> jobs@ broken
/home/project/work.js:3
  throw new TypeError("x is odd");
  ^

TypeError: x is odd
    at work (/home/project/work.js:3:9)
    at main (/home/project/main.js:1:1)

Node.js v24.21.0`;
  expect(thrownIn(printed)).toEqual({
    thrown: "TypeError: x is odd",
    stack: "at work (/home/project/work.js:3:9)\n    at main (/home/project/main.js:1:1)",
  });
});

it("is nothing if the program printed no error, and has no position if none was printed", () => {
  expect(thrownIn("done\n")).toEqual({});
  expect(thrownIn("sqlite3.OperationalError: no such table: guests\n")).toEqual({});
  expect(thrownIn("OperationalError: no such table\n")).toEqual({
    thrown: "OperationalError: no such table",
  });
});
