import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";

/**
 * The first process of a container with a single task, as source text for Node. It passes a number of bytes of its input
 * to the command, and ends with everything in the container when the command exits or its input ends. The server holds
 * the input open, so that a killed server leaves nothing running. As PID 1 it cannot be killed or stopped by other
 * processes in the container.
 */
const FIRST_PROCESS = `
const { spawn } = require("node:child_process");
const { signals } = require("node:os").constants;
const [given, file, ...args] = process.argv.slice(1);
let left = Number(given);
const child = spawn(file, args, { stdio: [left > 0 ? "pipe" : "ignore", "inherit", "inherit"] });
child.once("error", ({ message }) => { console.error(message); process.exit(127); });
child.once("exit", (code, signal) => process.exit(code ?? 128 + signals[signal]));
child.stdin?.on("error", () => {});
process.stdin.on("data", (bytes) => {
  if (left === 0) return;
  const own = bytes.subarray(0, left);
  left -= own.length;
  child.stdin.write(own);
  if (left === 0) child.stdin.end();
});
process.stdin.once("end", () => process.exit(137));
`;

/** @param given number of bytes of the input that are passed to the command */
export const asFirstProcess = (command: readonly string[], given: number): string[] => [
  SANDBOX_PLACES.node,
  "--disable-sigusr1",
  "-e",
  FIRST_PROCESS,
  String(given),
  ...command,
];
