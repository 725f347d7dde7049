/**
 * Why a parser returned nothing:
 * - `timeout`: the text took longer than the parser's limit
 * - `memory`: the parser needed more than its heap limit
 * - `failed`: the parser threw, for example because the text is nested too deeply
 * - `busy`: too many texts are waiting; the same text may succeed later
 * - `aborted`: the caller's signal was aborted
 */
export type ParserFailureCode = "timeout" | "memory" | "failed" | "busy" | "aborted";

/** Thrown if a parser did not return a result. The text itself is unchanged, so callers can show it as plain text. */
export class ParserFailure extends Error {
  override readonly name = "ParserFailure";
  readonly code: ParserFailureCode;

  constructor(code: ParserFailureCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the same text will fail again, so that the failure can be cached. */
  get isPermanent(): boolean {
    return this.code === "timeout" || this.code === "memory" || this.code === "failed";
  }
}
