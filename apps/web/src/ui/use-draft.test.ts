import { expect, it } from "vitest";
import { changeDraft, draftText } from "./use-draft.ts";

it("a draft is as it was typed last, for whichever field asks, also where the browser keeps nothing", () => {
  expect(draftText("one")).toBe("");
  changeDraft("one", "a todo app");
  changeDraft("two", "a game");
  expect([draftText("one"), draftText("two")]).toEqual(["a todo app", "a game"]);
  changeDraft("one", "");
  expect(draftText("one")).toBe("");
});
