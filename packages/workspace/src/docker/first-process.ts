import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";

/**
 * The first process of a container that does one thing, as text for Node: it passes so many bytes of its input on to the
 * command, and ends, with everything in the container, when the command does or when its input ends. That is held open by
 * the server: one that was killed lets go of it, and so nothing goes on without one. Being the first, it is neither ended
 * nor stopped by what runs beside it.
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

/** @param given bytes of input that are the command's own */
export const asFirstProcess = (command: readonly string[], given: number): string[] => [
  SANDBOX_PLACES.node,
  "--disable-sigusr1",
  "-e",
  FIRST_PROCESS,
  String(given),
  ...command,
];
