import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { isGone } from "./is-gone.ts";

const path = toProjectPath("package.json");

it("a file that could not be opened is shown as missing only if neither the log nor the list has it", () => {
  const list = [{ path }];
  expect(isGone(path, [], undefined)).toBe(true);
  expect(isGone(path, list, "removed")).toBe(true);
  expect(isGone(path, list, undefined)).toBe(false);
  // The file was opened before it was written, and the list is older than the write.
  expect(isGone(path, [], "written")).toBe(false);
});
