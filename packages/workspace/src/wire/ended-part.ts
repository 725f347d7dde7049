import { list, maybe, record, text, integer, type Checked } from "./checks.ts";

const endedPart = record({
  /** Its file, tool or command, and the folder that it was started in. */
  name: text(1_000),
  /** Absent where a signal ended it. */
  code: maybe(integer(-1_000, 1_000_000)),
  signal: maybe(text(20)),
  /** The end of its stderr output; empty if unknown. */
  text: text(8_000),
});
/** A process under a server's command that ended, and was not started again, while others go on. */
export type EndedPart = Checked<typeof endedPart>;

export const endedParts = list(endedPart, 50);
