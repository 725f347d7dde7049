/**
 * What went wrong, as one sentence for people. Errors that Treadle raises on purpose already are sentences; of any other
 * the message is kept and the stack left out, unless TREADLE_DEBUG asks for it.
 */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env.TREADLE_DEBUG) return error.stack ?? error.message;
  return error.message;
}
