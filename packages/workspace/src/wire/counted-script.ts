import { list, record, text, integer, yesOrNo, type Checked } from "./checks.ts";

/** Scripts that one answer tells of. */
const SCRIPTS = 5_000;

const countedScript = record({
  /** Below the project's root, or the whole address of what a bundler evaluated. */
  path: text(),
  /** It names a source map. */
  isMapped: yesOrNo,
  /** The source as it ran; empty where it has none of the names that were asked for. */
  text: text(Infinity),
  /**
   * Three numbers per function: its start and end in `text`, and 1 if it ran. A script without source has one empty
   * range for all functions besides the script itself.
   */
  places: list(integer(0), 600_000),
});
/** A script of the project's that a program in Node ran. */
export type CountedScript = Checked<typeof countedScript>;

export const countedScripts = list(countedScript, SCRIPTS);
