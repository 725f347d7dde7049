import type { TodoItem } from "@treadle/protocol";

const MARKS: Record<TodoItem["status"], string> = { todo: " ", doing: ">", done: "x" };
const LINE = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[([^\]\n]?)\]\s*)?(.*)$/;

/** A list of work as lines of text: `- [ ]` to do, `- [>]` being done, `- [x]` done. */
export function formatTodo(items: readonly TodoItem[]): string {
  return items.map(({ text, status }) => `- [${MARKS[status]}] ${oneLine(text)}`).join("\n");
}

/** The same read back. Any line with words in it is an item; one without a mark is to do. Never throws. */
export function parseTodo(text: string): TodoItem[] {
  return text.split("\n").flatMap((line): TodoItem[] => {
    const [, mark = " ", said = ""] = LINE.exec(line) ?? [];
    const words = oneLine(said);
    return words === "" ? [] : [{ text: words, status: statusOf(mark) }];
  });
}

function statusOf(mark: string): TodoItem["status"] {
  if (mark === "x" || mark === "X" || mark === "✓") return "done";
  return mark.trim() === "" ? "todo" : "doing";
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
