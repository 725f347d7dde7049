import { headOf, plainOutput } from "@treadle/protocol/safe-text";

/** How the runners of several processes, and those that start a program anew when its files change, say that it ended. */
const CRASHED =
  /\[nodemon\] app crashed\b|\bFailed running '|\bexited with code [1-9]\d*\b|\bERROR: "[^"\n]+" exited with [1-9]\d*\./g;
/** Of these what stands before them in their line says who it was. */
const NAMED_BEFORE = /^(?:exited|ERROR)/;
/** Characters of the line that is told. */
const LINE = 200;
const STARTED = /\[nodemon\] (?:re)?starting\b|\bRestarting '|\[tsx\] (?:re)?running\b/g;

/**
 * The line in which a server that still stands says that a part of it has crashed and was not started again since;
 * undefined where it says none.
 */
export function crashedPart(printed: string): string | undefined {
  const plain = plainOutput(printed);
  const crash = [...plain.matchAll(CRASHED)].at(-1);
  if (!crash) return undefined;
  // By hand: an expression that begins with the line is tried anew at each of its letters, and a line has no end.
  const from = NAMED_BEFORE.test(crash[0]) ? plain.lastIndexOf("\n", crash.index) + 1 : crash.index;
  const [line = ""] = plain.slice(from, crash.index + LINE).split("\n");
  const started = [...plain.matchAll(STARTED)].at(-1);
  return started && started.index > from ? undefined : headOf(line.trim(), LINE);
}
