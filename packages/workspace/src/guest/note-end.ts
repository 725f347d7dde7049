/**
 * Loaded by Node before the programs of a server (`--require`): notes which of them ended, with what code and what they said
 * last, and how the processes ended that they started. Under one command (`npm run dev`) a part can end while the others go on,
 * and no other process is told of it. Each part has a small file of its own, which its next start writes anew.
 */
import type { ChildProcess } from "node:child_process";

/** Characters of what a program said last. */
const TEXT_CHARS = 2_000;
/** Levels of processes above one that are noted. */
const LEVELS = 12;

/** By these a process is asked to end. */
const ASKED = ["SIGTERM", "SIGINT", "SIGHUP"];

/** How a part of a server stands, as its file says. */
export interface NotedPart {
  pid: number;
  /** Processes above it, the nearest first. */
  above: number[];
  /** Absolute, where it was started. */
  cwd: string;
  /** As it was started; for a program in Node its file comes first. */
  command: string[];
  /** Absent while it runs. */
  end?: { code: number | null; signal: string | null; text: string };
}

const folder = process.env.TREADLE_ENDS;
if (folder !== undefined && typeof process.getBuiltinModule === "function")
  try {
    noteEnds(folder);
  } catch {
    // The program is more important than what is known of it.
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
      // No room, or the folder is gone: then nothing is known of it.
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
    // Its name is only set once it has been started.
    child.once("spawn", () => {
      const { pid = 0, spawnargs } = child;
      const part = { pid, above: [process.pid, ...above], cwd: own.cwd, command: spawnargs };
      write(part);
      child.once("exit", (code, signal) => {
        // Who was asked to end has not ended by itself.
        const isAsked = child.killed || ASKED.includes(signal ?? "");
        if (code !== 0 && !isAsked) write({ ...part, end: { code, signal, text: "" } });
      });
    });
  });
}

/** Has what is written to stderr told, once the program asks for it. */
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

/** Pids of the processes above one, the nearest first. */
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
