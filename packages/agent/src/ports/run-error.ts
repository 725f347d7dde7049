import type { ErrorCode } from "@treadle/protocol";

/** What ends a run before its time, as the log and the person are told. */
export interface RunError {
  code: ErrorCode;
  message: string;
  canContinue: boolean;
}
