import { list, record, text, integer, yesOrNo, type Checked } from "./checks.ts";

/** Maximum number of scripts in one response. */
const SCRIPTS = 5_000;

const countedScript = record({
  /** Path in the project, or the full address of code evaluated by a bundler. */
  path: text(),
  /** Whether it names a source map. */
  isMapped: yesOrNo,
  /** The source as it ran; empty if it contains none of the requested names. */
  text: text(Infinity),
  /**
   * Three numbers per function: its start and end in `text`, and 1 if it ran. A script without source has one empty
   * range for all functions besides the script itself.
   */
  places: list(integer(0), 600_000),
});
/** A script of the project that a Node program ran. */
export type CountedScript = Checked<typeof countedScript>;

export const countedScripts = list(countedScript, SCRIPTS);
