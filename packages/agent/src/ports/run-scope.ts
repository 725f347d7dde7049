import type { LogEvent } from "@treadle/protocol";
import type { Clock } from "./clock.ts";

/** What everything in a run needs of it: which one it is, its log, its clock, and when it is over. */
export interface RunScope {
  /** The run's id. */
  readonly run: string;
  /** Aborted by Stop, or by the run's time being over. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Appends to the log; silent once the run has ended, so that nothing follows `run-end`. */
  emit(event: LogEvent): void;
  /** Resolves when all that was told is durable. */
  settled(): Promise<void>;
}
