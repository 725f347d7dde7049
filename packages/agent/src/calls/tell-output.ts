import type { Coalescer } from "../async/coalesce.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { Call } from "./call.ts";
import { OUTPUT_LOGGED } from "./limits.ts";

/** Logs what a command prints, up to a limit that is said once: a loop that prints for ever must not fill the disk. */
export function tellOutput(
  call: Call,
  output: Coalescer,
  { emit }: RunScope,
): (text: string) => void {
  let left = OUTPUT_LOGGED;
  const tell = (text: string) => {
    if (!call.outcome) emit({ type: "output", call: call.id, text });
  };
  return (text) => {
    if (left <= 0) return;
    left -= text.length;
    output.push(call.id, text, tell);
    if (left <= 0) output.push(call.id, "\n… more was printed and is not shown here …\n", tell);
  };
}
