import type { TodoItem } from "@treadle/protocol";
import { isToolUIPart, type UIMessage } from "ai";
import { shownConversation } from "../conversation/shown-conversation.ts";
import { noteMessage } from "../parts/data-parts.ts";
import type { Run } from "../../loop/state.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";
import { formatTodo, parseTodo } from "./todo-text.ts";

const CHANGED = prose(new URL("./todo-changed.md", import.meta.url));
const STANDS = "The todo list as it stands:";

/** The list as model or person last left it. */
export function standingTodo({ ports, todo }: Run): readonly TodoItem[] {
  return (ports.todo ? ports.todo() : todo) ?? [];
}

/** The model leaves another list. */
export function leaveTodo(run: Run, items: TodoItem[]): void {
  run.todo = items;
  run.toldTodo = formatTodo(items);
  run.emit({ type: "todo", by: "model", items, run: run.request.run });
}

/** Whether the person changed the list since the model was last told of it. */
export function todoChanged(run: Run): boolean {
  return formatTodo(standingTodo(run)) !== run.toldTodo;
}

/** Remembers what the model was told before a run that now goes on came to wait. */
export function knowTodo(run: Run): void {
  run.toldTodo = toldTodo(run.messages) ?? "";
}

/**
 * Tells the model what it does not know of the list: what the person changed, or all of it where the history that told
 * of it was summed up. Said behind what stands already, so that the provider's cache holds.
 */
export function tellTodo(run: Run): void {
  const now = formatTodo(standingTodo(run));
  const told = toldTodo(run.messages);
  run.toldTodo = now;
  if (now === (told ?? "")) return;
  const empty = now === "" ? "(the list is empty)" : now;
  const text = `${told === undefined ? STANDS : CHANGED}\n${fence("todo", empty)}`;
  const id = `${run.request.run}.todo-${run.steps}`;
  const note = noteMessage(id, "todo", text);
  note.metadata = { from: "treadle", kind: "todo", list: now };
  run.unsaved.push(note);
  // A reply that has begun is over; what follows the note is a message of its own.
  if (run.reply.parts.length === 0) run.messages.splice(-1, 0, note);
  else {
    const reply: UIMessage = { id: `${id}.reply`, role: "assistant", parts: [] };
    run.messages.push(note, reply);
    run.reply = reply;
  }
}

/** The list as the model last saw or wrote it; undefined where nothing that it is shown speaks of one. */
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
