import type { TodoItem } from "@treadle/protocol";

/** An edit of the list. */
export type Change = (items: readonly TodoItem[]) => TodoItem[];

/** Edits one item; does nothing if the list no longer has an item with this text. */
const changeOne =
  (text: string, change: (item: TodoItem) => TodoItem[]): Change =>
  (items) => {
    const at = items.findIndex((item) => item.text === text);
    return items.flatMap((item, index) => (index === at ? change(item) : [item]));
  };

/** Marks the item done or open. */
export const toggleDone = ({ text, status }: TodoItem): Change =>
  changeOne(text, (item) => [{ ...item, status: status === "done" ? "todo" : "done" }]);

/** Changes the item's text; removes the item if the text is empty. */
export const reword = ({ text }: TodoItem, words: string): Change => {
  const newText = words.trim();
  return changeOne(text, (item) => (newText === "" ? [] : [{ ...item, text: newText }]));
};

export const removeItem = ({ text }: TodoItem): Change => changeOne(text, () => []);

export const add =
  (words: string): Change =>
  (items) => [...items, { text: words.trim(), status: "todo" }];
