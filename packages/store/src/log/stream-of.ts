import type { LogEvent } from "@treadle/protocol";

/** An event that is one piece of a longer text. */
export type PieceEvent = Extract<
  LogEvent,
  { type: "text" } | { type: "reasoning" } | { type: "call-delta" } | { type: "output" }
>;

/** The name of the long text that an event is a piece of, or undefined for a complete event. */
export function streamOf(event: LogEvent): string | undefined {
  switch (event.type) {
    case "text":
    case "reasoning":
      return `${event.type}:${event.run}:${event.id}`;
    case "call-delta":
      return `delta:${event.call}:${event.field}`;
    case "output":
      return `output:${event.call}`;
    default:
      return undefined;
  }
}
