import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The last lines of what a command said beside its events: why it could not begin, most often. */
const SAID_LINES = 5;

export interface Ended {
  /** The event of type `result`; absent where the command ended without one. */
  result?: Record<string, unknown> | undefined;
  output: string;
}

/**
 * Runs another command of this same program, in a process of its own: what goes wrong in one task ends that task alone.
 * @param words with `--json` among them
 * @param signal ends it as Ctrl-C would
 * @param onLine is given each line of its stdout but the result
 */
export function ownCommand(
  words: string[],
  signal: AbortSignal,
  onLine: (line: string) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1]!, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      // Tasks of a benchmark are no projects that a person would open.
      env: { ...process.env, TREADLE_LIST_FOLDERS: "no" },
    });
    const stop = () => child.kill("SIGINT");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    let result: Record<string, unknown> | undefined;
    const outputLines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      // A run's events are many and long; only the last line is wanted.
      if (line.startsWith('{"type":"result"')) result = JSON.parse(line) as typeof result;
      else onLine(line);
    });
    createInterface({ input: child.stderr }).on("line", (line) => {
      outputLines.push(line);
      if (outputLines.length > SAID_LINES) outputLines.shift();
    });
    child.once("error", reject);
    child.once("close", () => {
      signal.removeEventListener("abort", stop);
      resolve({ result, output: outputLines.join("\n") });
    });
  });
}
