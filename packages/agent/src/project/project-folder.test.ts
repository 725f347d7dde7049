import { expect, test } from "vitest";
import { enteredFolder } from "./project-folder.ts";

test.each([
  ["cd demo && npm run dev", "demo"],
  ["  cd ./demo/; npm start", "demo"],
  ["cd 'my app' && npm start", "my app"],
  ['cd "a/b/" && npm start', "a/b"],
  ["cd demo", undefined],
  ["npm start", undefined],
  ["cdx && npm start", undefined],
])("a command enters a folder, or none: %s", (command, folder) => {
  expect(enteredFolder(command)).toBe(folder);
});

test("a command of any length is read once", () => {
  expect(enteredFolder(`cd${" ".repeat(200_000)}`)).toBeUndefined();
});
