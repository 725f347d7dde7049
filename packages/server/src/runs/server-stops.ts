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
 * Turns the end of a run that the server stopped into one from which the person can continue. The end of a run that
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

/** The fields of a run's end that say that the server's stop interrupted it. */
export const restarted = (what: Sentence) => ({
  summary: what.text,
  summaryCode: what.coded,
  error: { code: "restarted" as const, ...asMessage(what), canContinue: true },
});
