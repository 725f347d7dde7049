import { type Message } from "@treadle/protocol/sentences";
import type { ErrorCode } from "@treadle/protocol";

/** What ends a run before its time, as the log and the person are told. */
export interface RunError extends Message {
  code: ErrorCode;
  canContinue: boolean;
}
