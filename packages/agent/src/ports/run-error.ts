import { type Message } from "@treadle/protocol/sentences";
import type { ErrorCode } from "@treadle/protocol";

/** An error that ends a run early, as it is logged and shown to the user. */
export interface RunError extends Message {
  code: ErrorCode;
  canContinue: boolean;
}
