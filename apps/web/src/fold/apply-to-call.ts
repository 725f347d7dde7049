import type { LogEntry, LogEvent, ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { gather, keepTail } from "./gathered.ts";
import { growText } from "./grow.ts";
import type { CallItem } from "./types.ts";

/** Minimum characters of a long output that stay in memory; the log has all of it. */
export const MAX_OUTPUT_CHARS = 200_000;

type CallBound = Extract<
  LogEvent,
  { type: "call-delta" | "call-input" | "call-start" | "output" | "call-end" }
>;

/** Applies one event to a call. */
export function applyToCall(call: CallItem, event: CallBound, at: number): CallItem {
  const applied = apply(call, event, at);
  return "cut" in event && event.cut !== undefined ? { ...applied, cut: true } : applied;
}

function apply(call: CallItem, event: CallBound, at: number): CallItem {
  switch (event.type) {
    case "call-delta": {
      const before = call.fields.get(event.field);
      const after = before ? growText(before, event.text, event.whole) : gather(event.text);
      // Only one field streams at a time and a call has a handful, so copying the map costs little.
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
      const text = call.output
        ? growText(call.output, event.text, event.whole)
        : gather(event.text);
      return { ...call, output: keepTail(text, MAX_OUTPUT_CHARS) };
    }
    case "call-end": {
      const { status, title, titleCode, result, ms, picture, lines } = event;
      return { ...call, status, title, titleCode, result, ms, picture, lines };
    }
  }
}

/** Completes a call that the log held only in part, from the full entries. */
export function completeCall(call: CallItem, entries: readonly LogEntry[]): CallItem {
  const fullCall = entries.reduce(
    (before, { event, at }) => apply(before, event as CallBound, at),
    call,
  );
  return { ...fullCall, cut: undefined };
}

/** Parses a path written by the model; undefined if it is invalid, which the call's result reports. */
function pathOf(written: unknown): ProjectPath | undefined {
  const read = typeof written === "string" ? readProjectPath(written) : undefined;
  return read?.ok ? read.path : undefined;
}
