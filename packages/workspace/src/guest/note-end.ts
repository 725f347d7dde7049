/**
 * Loaded by Node before the programs of a server (`--require`): notes which of them exited, with
 * their code and last output, and the exits of processes that they started. Under one command (`npm
 * run dev`) a part can exit while others still run, and no other process learns of it. Each part
 * has a small file of its own, which its next start overwrites.
 */
import type { ChildProcess } from "node:child_process";

/** Maximum length of a program's last output, in characters. */
const TEXT_CHARS = 2_000;
/** Maximum number of parent processes that are noted. */
const LEVELS = 12;

/** Signals that ask a process to exit. */
const ASKED = ["SIGTERM", "SIGINT", "SIGHUP"];

/** The state of one part of a server, as stored in its file. */
export interface NotedPart {
  pid: number;
  /** Pids of its parent processes, the nearest first. */
  above: number[];
  /** The absolute path of the folder in which it was started. */
  cwd: string;
  /** The command line; for a Node program it begins with its file. */
  command: string[];
  /** Absent while it runs, and after it exited with code 0 or was asked to exit. */
  end?: { code: number | null; signal: string | null; text: string };
}

const folder = process.env.TREADLE_ENDS;
if (folder !== undefined && typeof process.getBuiltinModule === "function")
  try {
    noteEnds(folder);
  } catch {
    // A failure here must not affect the program.
  }

function noteEnds(place: string): void {
  const { isMainThread } = process.getBuiltinModule("node:worker_threads");
  if (!isMainThread) return;
  const { readFileSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const { createHash } = process.getBuiltinModule("node:crypto");
  const { inspect } = process.getBuiltinModule("node:util");
  const { subscribe } = process.getBuiltinModule("node:diagnostics_channel");

  const write = (part: NotedPart) => {
    const [parent = 0] = part.above;
    const key = createHash("sha256").update(JSON.stringify([parent, part.cwd, part.command]));
    try {
      writeFileSync(`${place}/${key.digest("hex").slice(0, 24)}`, JSON.stringify(part));
    } catch {
      // The disk is full, or the folder is gone: then nothing is noted.
    }
  };

  const above = aboveOf(process.pid, readFileSync);
  const own: NotedPart = {
    pid: process.pid,
    above,
    cwd: process.cwd(),
    command: process.argv.slice(1),
  };
  write(own);

  let text = "";
  const add = (piece: string) => (text = (text + piece).slice(-TEXT_CHARS));
  watchErrors(add);
  process.on("uncaughtExceptionMonitor", (error) => add(`\n${inspect(error)}\n`));
  process.on("exit", (code) => {
    if (code !== 0) write({ ...own, end: { code, signal: null, text } });
  });

  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    // Its name is set only after it has been started.
    child.once("spawn", () => {
      const { pid = 0, spawnargs } = child;
      const part = { pid, above: [process.pid, ...above], cwd: own.cwd, command: spawnargs };
      write(part);
      child.once("exit", (code, signal) => {
        // A process that was asked to exit did not exit by itself.
        const isAsked = child.killed || ASKED.includes(signal ?? "");
        if (code !== 0 && !isAsked) write({ ...part, end: { code, signal, text: "" } });
      });
    });
  });
}

/** Reports what is written to stderr, once the program uses it. */
function watchErrors(add: (piece: string) => void): void {
  const found = Object.getOwnPropertyDescriptor(process, "stderr");
  if (!found?.get || !found.configurable) return;
  let watched: NodeJS.WriteStream | undefined;
  Object.defineProperty(process, "stderr", {
    ...found,
    get() {
      if (watched) return watched;
      const stream = found.get!.call(process) as NodeJS.WriteStream;
      watched = stream;
      const { write } = stream;
      stream.write = function (this: unknown, ...args: unknown[]) {
        if (typeof args[0] === "string" || args[0] instanceof Uint8Array)
          add(Buffer.from(args[0] as string).toString());
        return Reflect.apply(write, stream, args) as boolean;
      } as typeof stream.write;
      return stream;
    },
  });
}

/** Pids of a process's parents, the nearest first. */
function aboveOf(pid: number, read: (path: string, encoding: "latin1") => string): number[] {
  const pids: number[] = [];
  for (let at = pid; pids.length < LEVELS;) {
    let stat: string;
    try {
      stat = read(`/proc/${at}/stat`, "latin1");
    } catch {
      break;
    }
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (!(at > 1)) break;
    pids.push(at);
  }
  return pids;
}
