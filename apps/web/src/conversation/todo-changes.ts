import type { TodoItem } from "@treadle/protocol";

/** What becomes of a list. */
export type Change = (items: readonly TodoItem[]) => TodoItem[];

/** What becomes of one item; nothing, where the list has none of these words any more. */
const changeOne =
  (text: string, change: (item: TodoItem) => TodoItem[]): Change =>
  (items) => {
    const at = items.findIndex((item) => item.text === text);
    return items.flatMap((item, index) => (index === at ? change(item) : [item]));
  };

/** Done, or to do again. */
export const tick = ({ text, status }: TodoItem): Change =>
  changeOne(text, (item) => [{ ...item, status: status === "done" ? "todo" : "done" }]);

/** Says it in other words; without any, it is taken off. */
export const reword = ({ text }: TodoItem, words: string): Change => {
  const newText = words.trim();
  return changeOne(text, (item) => (newText === "" ? [] : [{ ...item, text: newText }]));
};

export const takeOff = ({ text }: TodoItem): Change => changeOne(text, () => []);

export const add =
  (words: string): Change =>
  (items) => [...items, { text: words.trim(), status: "todo" }];
