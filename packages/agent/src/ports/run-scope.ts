import type { LogEvent } from "@treadle/protocol";
import type { Clock } from "./clock.ts";

/** The parts of a run that everything in it needs: its id, its log, its clock and its end. */
export interface RunScope {
  /** The run's id. */
  readonly run: string;
  /** Aborted by Stop, or by the time limit. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Appends to the log; ignored once the run has ended, so that nothing follows `run-end`. */
  emit(event: LogEvent): void;
  /** Resolves when all emitted events are durable. */
  settled(): Promise<void>;
}
