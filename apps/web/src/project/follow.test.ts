import { expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import { followedPath, followedTab } from "./follow.ts";

const after = (count: number) => fold(emptyView(), logOf(...sampleRun().slice(0, count)));

it("shows the code while a file is written, and the preview when there is something to see", () => {
  expect(followedTab(after(5))).toBeUndefined();
  expect(followedTab(after(9))).toBe("code");
  expect(followedPath(after(9))).toBe("src/App.tsx");
  expect(followedTab(after(17))).toBeUndefined();
  expect(followedTab(after(23))).toBe("preview");
  expect(followedTab(after(28))).toBe("preview");
});
