import { list, maybe, record, text, integer, type Checked } from "./checks.ts";

const endedPart = record({
  /** Its file, tool or command, and the folder in which it was started. */
  name: text(1_000),
  /** Absent if it was ended by a signal. */
  code: maybe(integer(-1_000, 1_000_000)),
  signal: maybe(text(20)),
  /** The end of its stderr output; empty if unknown. */
  text: text(8_000),
});
/** A process of a server's command that exited and was not restarted, while others still run. */
export type EndedPart = Checked<typeof endedPart>;

export const endedParts = list(endedPart, 50);
