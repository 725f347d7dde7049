import { list, record, text, whole, type Checked } from "./checks.ts";

/** Scripts that one answer tells of. */
const SCRIPTS = 5_000;

const countedScript = record({
  /** Below the project's root, or the whole address of what a bundler evaluated. */
  path: text(),
  /** The source as it ran. */
  text: text(Infinity),
  /** Three for each function: its beginning and end in `text`, and 1 where it ran. */
  places: list(whole(0), 600_000),
});
/** A script of the project's that a program in Node ran. */
export type CountedScript = Checked<typeof countedScript>;

export const countedScripts = list(countedScript, SCRIPTS);
