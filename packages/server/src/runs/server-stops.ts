import { asMessage, sentence, type Sentence } from "@treadle/protocol/sentences";
import type { LogEvent } from "@treadle/protocol";

const INTERRUPTED = sentence("interrupted");

/** The abort reason of a run's signal when the server itself stops. */
export class ServerStops extends Error {
  constructor() {
    super("Treadle is stopping.");
    this.name = "ServerStops";
  }
}

/**
 * The end of a run that the person did not stop, and that can be continued. The end of a run that
 * ended by itself is unchanged.
 */
export function interrupted(end: Extract<LogEvent, { type: "run-end" }>): LogEvent {
  if (end.outcome !== "stopped") return end;
  return {
    ...end,
    outcome: "interrupted",
    ...restarted(INTERRUPTED),
  };
}

/** The end of a run that was interrupted by the server's stop. */
export const restarted = (what: Sentence) => ({
  summary: what.text,
  summaryCode: what.coded,
  error: { code: "restarted" as const, ...asMessage(what), canContinue: true },
});
