import { expect, it } from "vitest";
import { besideOthers, readPanes, withoutPane, withPane } from "./panes.ts";

const one = { shown: ["1"], chosen: "1" };
const two = besideOthers(one, "2");

it("adds a pane beside the selected one, and then shows the selected terminal in it", () => {
  expect(two).toEqual({ shown: ["1", "2"], chosen: "2" });
  expect(besideOthers({ ...two, chosen: "1" }, "3")).toEqual({
    shown: ["1", "3", "2"],
    chosen: "3",
  });
  expect(withPane(two, "server")).toEqual({ shown: ["1", "server"], chosen: "server" });
  expect(withPane(two, "1")).toEqual({ shown: ["1", "2"], chosen: "1" });
});

it("shows the remaining one when one is closed", () => {
  expect(withoutPane(two, "2", "3")).toEqual(one);
  expect(withoutPane(two, "1", "3")).toEqual({ shown: ["2"], chosen: "2" });
  expect(withoutPane(one, "1", "server")).toEqual({ shown: ["server"], chosen: "server" });
});

it("restores what was shown before a reload, as far as it exists", () => {
  expect(readPanes(JSON.stringify(two), ["server", "1", "2"], "1")).toEqual(two);
  expect(readPanes(JSON.stringify(two), ["server", "1"], "1")).toEqual(one);
  expect(readPanes(undefined, ["server", "1"], "1")).toEqual(one);
  expect(readPanes("{damaged", ["1"], "1")).toEqual(one);
  expect(readPanes('{"shown":"1"}', ["1"], "1")).toEqual(one);
});
