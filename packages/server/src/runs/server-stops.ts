import { asMessage, sentence, type Sentence } from "@treadle/protocol/sentences";
import type { LogEvent } from "@treadle/protocol";

const INTERRUPTED = sentence("interrupted");

/** The reason that a run's signal is aborted with when the server itself ends. */
export class ServerStops extends Error {
  constructor() {
    super("Treadle is stopping.");
    this.name = "ServerStops";
  }
}

/** The end of a run that the person did not stop: it can be gone on with. A run that ended by itself stays as it is. */
export function interrupted(end: Extract<LogEvent, { type: "run-end" }>): LogEvent {
  if (end.outcome !== "stopped") return end;
  return {
    ...end,
    outcome: "interrupted",
    ...restarted(INTERRUPTED),
  };
}

/** The end of a run that the stopping of the server cut off. */
export const restarted = (what: Sentence) => ({
  summary: what.text,
  summaryCode: what.coded,
  error: { code: "restarted" as const, ...asMessage(what), canContinue: true },
});
