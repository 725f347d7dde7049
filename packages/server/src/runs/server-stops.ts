import type { LogEvent } from "@treadle/protocol";

export const INTERRUPTED =
  "Treadle was stopped in the middle of this turn. What was finished until then is kept. Continue goes on from there.";

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
    summary: INTERRUPTED,
    error: { code: "restarted", message: INTERRUPTED, canContinue: true },
  };
}
