import { expect, it } from "vitest";
import { changeDraft, draftText } from "./use-draft.ts";

it("a draft is the last typed text, in every field that uses it, even if the browser stores nothing", () => {
  expect(draftText("one")).toBe("");
  changeDraft("one", "a todo app");
  changeDraft("two", "a game");
  expect([draftText("one"), draftText("two")]).toEqual(["a todo app", "a game"]);
  changeDraft("one", "");
  expect(draftText("one")).toBe("");
});
