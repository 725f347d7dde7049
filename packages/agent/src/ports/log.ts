import type { LogEvent } from "@treadle/protocol";

/**
 * The destination of events. The run waits for it only through `settled`, before model calls and
 * commands.
 */
export interface LogPort {
  append(event: LogEvent): void;
  settled(): Promise<void>;
}
