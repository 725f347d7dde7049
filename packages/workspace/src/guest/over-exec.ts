/**
 * Entry point of everything that is executed in a pod. Reads what to do from its input, tests that the pod is shut in,
 * reports that, and then becomes the guest or runs one command. Ends everything it started when its input ends, which
 * is when the server is gone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { ExecReport, ExecRequest, ShutAddress } from "../wire/exec-request.ts";
import { addressesSeenInPod, findReachable, waitUntilShut } from "./shut-in.ts";

/** Milliseconds between tests that the pod is still shut in: a policy can be removed while it runs. */
const AGAIN_MS = 30_000;
/** Exit code of a program that was ended by a signal, as shells report it. */
const SIGNALLED = 128;

const request = JSON.parse(await readLine()) as ExecRequest;
if (request.hold !== undefined) writeFileSync(request.hold, `${process.pid}\n`);
if (request.shut === undefined) await report({ open: [] });
else await testShut([...request.shut, ...addressesSeenInPod(process.env)]);

process.chdir(request.directory);
if (request.fill !== undefined) await once(start(["bash", "-c", request.fill]), "exit");
if (request.run.kind === "guest") {
  // The guest and its link read it from there; the process's own command line stays as it is.
  process.argv[2] = JSON.stringify(request.run.guest);
  await import(new URL("over-stdio.mjs", import.meta.url).href);
} else {
  const { command, env, input } = request.run;
  runCommand(start(command, env, input), input);
}

/** Reports which addresses are out of reach, and goes on only if all are; tests them again as long as this process runs. */
async function testShut(addresses: readonly ShutAddress[]): Promise<void> {
  const open = await waitUntilShut(addresses, request.shutMs);
  await report({ open });
  if (open.length > 0) process.exit(1);
  setInterval(() => {
    void findReachable(addresses).then((reachable) => {
      if (reachable.length > 0) process.exit(1);
    });
  }, AGAIN_MS).unref();
}

/** The first line of the input; what follows it stays readable. */
async function readLine(): Promise<string> {
  const { stdin } = process;
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf("\n");
    if (end !== -1) {
      if (end + 1 < read.length) stdin.unshift(read.subarray(end + 1));
      return read.subarray(0, end).toString();
    }
    const piece = stdin.read() as Buffer | null;
    if (piece) read = Buffer.concat([read, piece]);
    else if (stdin.readableEnded) process.exit(1);
    else await Promise.race([once(stdin, "readable"), once(stdin, "end")]);
  }
}

function report(line: ExecReport): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()),
  );
}

/** Starts a program in a process group of its own, so that all of it can be ended. */
function start(command: readonly string[], env?: Record<string, string>, input = 0) {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    detached: true,
    env: env ?? process.env,
    stdio: [input > 0 ? "pipe" : "ignore", "inherit", "inherit"],
  });
  child.once("error", ({ message }) => {
    process.stderr.write(`${message}\n`, () => process.exit(127));
  });
  return child;
}

/** Passes a number of bytes of the input to the command, and exits when the command does or the input ends. */
function runCommand(child: ReturnType<typeof start>, given: number): void {
  let left = given;
  child.once("exit", (code, signal) =>
    process.exit(code ?? SIGNALLED + (signal ? constants.signals[signal] : 0)),
  );
  child.stdin?.on("error", () => {});
  process.stdin.on("data", (bytes: Buffer) => {
    if (left === 0) return;
    const own = bytes.subarray(0, left);
    left -= own.length;
    if (!child.stdin?.write(own)) {
      process.stdin.pause();
      child.stdin?.once("drain", () => process.stdin.resume());
    }
    if (left === 0) child.stdin?.end();
  });
  process.stdin.once("end", () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    process.exit(SIGNALLED + constants.signals.SIGKILL);
  });
}
