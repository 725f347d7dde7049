import type { TodoItem } from "@treadle/protocol";
import { expect, it } from "vitest";
import { add, reword, removeItem, toggleDone } from "./todo-changes.ts";

const LIST: TodoItem[] = [
  { text: "Page", status: "doing" },
  { text: "Store", status: "todo" },
];
const [page, store] = LIST as [TodoItem, TodoItem];

it("items can be ticked, reworded, removed and added, and the others stay", () => {
  expect(toggleDone(page)(LIST)).toEqual([{ text: "Page", status: "done" }, store]);
  expect(toggleDone({ ...page, status: "done" })(LIST)[0]?.status).toBe("todo");
  expect(reword(store, " Keep it ")(LIST)).toEqual([page, { text: "Keep it", status: "todo" }]);
  expect(reword(store, " ")(LIST)).toEqual([page]);
  expect(removeItem(page)(LIST)).toEqual([store]);
  expect(add("Test")(LIST)).toHaveLength(3);
});

it("changing a missing item does nothing, and of two equal items one is changed", () => {
  expect(removeItem({ text: "Gone", status: "todo" })(LIST)).toEqual(LIST);
  expect(removeItem(store)([store, store])).toEqual([store]);
});
