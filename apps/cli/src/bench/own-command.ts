import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Number of the last lines that a command printed beside its events, which usually say why it could not start. */
const SAID_LINES = 5;

export interface Ended {
  /** The event of type `result`; absent if the command ended without one. */
  result?: Record<string, unknown> | undefined;
  output: string;
}

/**
 * Runs another command of this program in a separate process, so that a crash in one task affects only that task.
 * @param words the arguments, including `--json`
 * @param signal stops it as Ctrl-C would
 * @param onLine receives each line of its stdout except the result
 */
export function ownCommand(
  words: string[],
  signal: AbortSignal,
  onLine: (line: string) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1]!, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      // Tasks of a benchmark are not projects that a person would open.
      env: { ...process.env, TREADLE_LIST_FOLDERS: "no" },
    });
    const stop = () => child.kill("SIGINT");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    let result: Record<string, unknown> | undefined;
    const outputLines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      // A run's events are numerous and long; only the last line matters.
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
