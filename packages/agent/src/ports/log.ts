import type { LogEvent } from "@treadle/protocol";

/** Where events go. The run never waits for it, but for `settled` before it asks a model or runs a command. */
export interface LogPort {
  append(event: LogEvent): void;
  settled(): Promise<void>;
}
