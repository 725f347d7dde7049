import { headOf, plainOutput } from "@treadle/protocol/safe-text";

/** How runners of several processes, and watchers that restart a program, report its exit. */
const CRASHED =
  /\[nodemon\] app crashed\b|\bFailed running '|\bexited with code [1-9]\d*\b|\bERROR: "[^"\n]+" exited with [1-9]\d*\./g;
/** For these, the text before them on the line names the process. */
const NAMED_BEFORE = /^(?:exited|ERROR)/;
/** Maximum length of the quoted line, in characters. */
const LINE = 200;
const STARTED = /\[nodemon\] (?:re)?starting\b|\bRestarting '|\[tsx\] (?:re)?running\b/g;

/**
 * Returns the line in which a running server reports that a part of it crashed and was not
 * restarted; undefined if there is none.
 */
export function crashedPart(printed: string): string | undefined {
  const plain = plainOutput(printed);
  const crash = [...plain.matchAll(CRASHED)].at(-1);
  if (!crash) return undefined;
  // Found by hand: a pattern that begins at the start of the line would be retried at each
  // character of an endless line.
  const from = NAMED_BEFORE.test(crash[0]) ? plain.lastIndexOf("\n", crash.index) + 1 : crash.index;
  const [line = ""] = plain.slice(from, crash.index + LINE).split("\n");
  const started = [...plain.matchAll(STARTED)].at(-1);
  return started && started.index > from ? undefined : headOf(line.trim(), LINE);
}
