import type { ProjectPath } from "@treadle/protocol";
import { expect, it } from "vitest";
import { withPermanent, withMoved, withShown, type FileTab } from "./tabs.ts";

const path = (text: string) => text as ProjectPath;
const tabs = (text: string): FileTab[] =>
  text.split(" ").map((one) => ({ path: path(one.replace("?", "")), kept: !one.endsWith("?") }));
const text = (list: readonly FileTab[]) =>
  list.map((tab) => tab.path + (tab.kept ? "" : "?")).join(" ");

it("shows previewed files in one tab, which becomes permanent when a file is kept", () => {
  expect(text(withShown([], path("a")))).toBe("a?");
  expect(text(withShown(tabs("k a? z"), path("b")))).toBe("k b? z");
  expect(text(withShown(withPermanent(tabs("k a?"), path("a")), path("b")))).toBe("k a b?");
  expect(text(withShown(tabs("k a?"), path("k")))).toBe("k a?");
});

it("moves a tab to a position, and makes it permanent", () => {
  expect(text(withMoved(tabs("a b c?"), path("c"), 0))).toBe("c a b");
  expect(text(withMoved(tabs("a b c"), path("a"), 1))).toBe("b a c");
  expect(text(withMoved(tabs("a b"), path("a"), 9))).toBe("b a");
  expect(text(withMoved(tabs("a b"), path("gone"), 0))).toBe("a b");
});
