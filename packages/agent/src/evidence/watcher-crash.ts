import { plainOutput } from "../text/plain.ts";

/** How the runners of several processes, and those that start a program anew when its files change, say that it ended. */
const CRASHED =
  /\[nodemon\] app crashed\b.*|\bFailed running '.*|.*\bexited with code [1-9]\d*\b.*|.*\bERROR: "[^"]+" exited with [1-9]\d*\..*/g;
const STARTED = /\[nodemon\] (?:re)?starting\b|\bRestarting '|\[tsx\] (?:re)?running\b/g;

/**
 * The line in which a server that still stands says that a part of it has crashed and was not started again since;
 * undefined where it says none.
 */
export function crashedPart(printed: string): string | undefined {
  const plain = plainOutput(printed);
  const crash = [...plain.matchAll(CRASHED)].at(-1);
  if (!crash) return undefined;
  const started = [...plain.matchAll(STARTED)].at(-1);
  return started && started.index > crash.index ? undefined : crash[0].trim().slice(0, 200);
}
