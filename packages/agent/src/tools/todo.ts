import type { TodoItem } from "@treadle/protocol";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";
import { formatTodo } from "../context/todo/todo.ts";
import { TODO_ITEMS, TODO_TEXT } from "./limits.ts";
import { defineTool, done, refused } from "./tool.ts";

/**
 * Replaces the to-do list. Changes by the person that the model has not seen are never overwritten.
 */
export const todo = defineTool({
  name: "todo",
  description: prose(new URL("./todo.md", import.meta.url)),
  input: z.object({
    items: z.array(
      z.object({ text: z.string(), status: z.enum(["todo", "doing", "done"]).optional() }),
    ),
  }),
  async execute({ items: asked }, { todo: list }) {
    if (asked.length > TODO_ITEMS)
      return refused(
        sentence("todo-not"),
        `A list has ${TODO_ITEMS} items at most, this has ${asked.length}. Put small steps together.`,
      );
    if (list.isChanged())
      return refused(
        sentence("todo-not"),
        `The person changed the list meanwhile. Nothing was replaced; it stands so:\n${formatTodo(list.read())}\nWrite it again with what they changed.`,
      );
    const items = asked.flatMap(({ text, status = "todo" }): TodoItem[] => {
      const content = clipLine(text, TODO_TEXT);
      return content === "" ? [] : [{ text: content, status }];
    });
    list.leave(items);
    const ready = items.filter(({ status }) => status === "done").length;
    return done(sentence("todo", { done: ready, total: items.length }), "The list is kept.");
  },
});
