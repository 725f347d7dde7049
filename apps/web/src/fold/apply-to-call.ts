import type { LogEntry, LogEvent, ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { gather, keepTail } from "./gathered.ts";
import { grow } from "./grow.ts";
import type { CallItem } from "./types.ts";

/** Characters of one call's output that are kept for reading; the whole is in the log. */
export const OUTPUT_KEPT = 200_000;

type CallBound = Extract<
  LogEvent,
  { type: "call-delta" | "call-input" | "call-start" | "output" | "call-end" }
>;

/** A call after one more event of it. */
export function applyToCall(call: CallItem, event: CallBound, at: number): CallItem {
  const applied = apply(call, event, at);
  return "cut" in event && event.cut !== undefined ? { ...applied, cut: true } : applied;
}

function apply(call: CallItem, event: CallBound, at: number): CallItem {
  switch (event.type) {
    case "call-delta": {
      const before = call.fields.get(event.field);
      const after = before ? grow(before, event.text, event.whole) : gather(event.text);
      // One field streams at a time and calls have a handful: copying the map costs nothing that grows.
      const fields = new Map(call.fields).set(event.field, after);
      return { ...call, fields, path: pathOf(event.path) ?? call.path };
    }
    case "call-input": {
      return {
        ...call,
        input: event.input,
        path: pathOf(event.input["path"]) ?? call.path,
        status: call.status === "writing" ? "waiting" : call.status,
      };
    }
    case "call-start":
      return { ...call, status: "running", since: at };
    case "output": {
      const text = call.output ? grow(call.output, event.text, event.whole) : gather(event.text);
      return { ...call, output: keepTail(text, OUTPUT_KEPT) };
    }
    case "call-end": {
      const { status, title, titleCode, result, ms, picture, lines } = event;
      return { ...call, status, title, titleCode, result, ms, picture, lines };
    }
  }
}

/** A call of which the log had head and tail, with the entries that have all of it. */
export function wholeCall(call: CallItem, entries: readonly LogEntry[]): CallItem {
  const fullCall = entries.reduce(
    (before, { event, at }) => apply(before, event as CallBound, at),
    call,
  );
  return { ...fullCall, cut: undefined };
}

/** As the model wrote it; what is no path of the project opens nothing, and the call's result says so. */
function pathOf(written: unknown): ProjectPath | undefined {
  const read = typeof written === "string" ? readProjectPath(written) : undefined;
  return read?.ok ? read.path : undefined;
}
