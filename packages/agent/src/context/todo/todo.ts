import type { TodoItem } from "@treadle/protocol";
import { isToolUIPart, type UIMessage } from "ai";
import type { RunScope } from "../../ports/run-scope.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";
import { goOnWith, putBeforeReply, type Conversation } from "../conversation/conversation.ts";
import { noteMessage } from "../conversation/note-message.ts";
import { shownConversation } from "../conversation/shown-conversation.ts";

const CHANGED = prose(new URL("./todo-changed.md", import.meta.url));
const STANDS = "The todo list as it stands:";

/** A project's to-do list during a run. */
export interface StandingTodo {
  /** The saved list, including the person's changes. Absent: the run keeps its own. */
  readonly saved?: (() => readonly TodoItem[] | undefined) | undefined;
  own?: TodoItem[];
  /** The list as the model last saw it. */
  announced: string;
}

/** The current list, as model or person last left it. */
export function standingTodo({ saved, own }: StandingTodo): readonly TodoItem[] {
  return (saved ? saved() : own) ?? [];
}

/** Replaces the list by the model's new one. */
export function leaveTodo(todo: StandingTodo, items: TodoItem[], { run, emit }: RunScope): void {
  todo.own = items;
  todo.announced = formatTodo(items);
  emit({ type: "todo", by: "model", items, run });
}

/** Whether the person changed the list since the model last saw it. */
export function todoChanged(todo: StandingTodo): boolean {
  return formatTodo(standingTodo(todo)) !== todo.announced;
}

/** Restores the list that the model has seen, when a waiting run resumes. */
export function knowTodo(todo: StandingTodo, messages: readonly UIMessage[]): void {
  todo.announced = toldTodo(messages) ?? "";
}

/**
 * Tells the model about changes of the list: the person's, or the complete list if the message with it was summarised.
 * The note comes last, so that the provider's cache stays valid.
 * @param id the id of the note, unique in the project
 */
export function tellTodo(todo: StandingTodo, conversation: Conversation, id: string): void {
  const now = formatTodo(standingTodo(todo));
  const announced = toldTodo(conversation.messages);
  todo.announced = now;
  if (now === (announced ?? "")) return;
  const empty = now === "" ? "(the list is empty)" : now;
  const text = `${announced === undefined ? STANDS : CHANGED}\n${fence("todo", empty)}`;
  const note = noteMessage(id, "todo", text);
  note.metadata = { from: "treadle", kind: "todo", list: now };
  if (conversation.reply.parts.length === 0) return putBeforeReply(conversation, note);
  // A reply that has begun ends here; text after the note becomes a separate message.
  conversation.unsaved.push(note);
  conversation.messages.push(note);
  goOnWith(conversation, { id: `${id}.reply`, role: "assistant", parts: [] });
}

/** The list as the model last saw or wrote it; undefined if its conversation has none. */
function toldTodo(messages: readonly UIMessage[]): string | undefined {
  for (const { metadata, parts } of shownConversation(messages).toReversed()) {
    const { kind, list } = (metadata ?? {}) as { kind?: unknown; list?: unknown };
    if (kind === "todo" && typeof list === "string") return list;
    const part = parts.findLast(
      (one) => one.type === "tool-todo" && isToolUIPart(one) && one.state === "output-available",
    );
    if (part && "input" in part) return listOf(part.input);
  }
  return undefined;
}

function listOf(input: unknown): string {
  const { items } = (input ?? {}) as { items?: unknown };
  if (typeof items === "string") return formatTodo(parseTodo(items));
  return Array.isArray(items) ? formatTodo(items as TodoItem[]) : "";
}

const MARKS: Record<TodoItem["status"], string> = { todo: " ", doing: ">", done: "x" };
const LINE = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[([^\]\n]?)\]\s*)?(.*)$/s;

/** Formats a to-do list as lines: `- [ ]` to do, `- [>]` in progress, `- [x]` done. */
export function formatTodo(items: readonly TodoItem[]): string {
  return items.map(({ text, status }) => `- [${MARKS[status]}] ${oneLine(text)}`).join("\n");
}

/**
 * Parses lines as `formatTodo` writes them. Any line with text is an item; one without a mark is to do. Never throws.
 */
export function parseTodo(text: string): TodoItem[] {
  return text.split("\n").flatMap((line): TodoItem[] => {
    const [, mark = " ", text = ""] = LINE.exec(line) ?? [];
    const words = oneLine(text);
    return words === "" ? [] : [{ text: words, status: statusOf(mark) }];
  });
}

function statusOf(mark: string): TodoItem["status"] {
  if (mark === "x" || mark === "X" || mark === "✓") return "done";
  return mark.trim() === "" ? "todo" : "doing";
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
