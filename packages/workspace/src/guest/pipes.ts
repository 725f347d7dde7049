import { spawn, type ChildProcess } from "node:child_process";
import { MARK } from "./process-table.ts";
import { afterGuest } from "./processes.ts";

/** Programs with separate stdin, stdout and stderr pipes. */
export function createPipes(options: {
  root: string;
  /** The environment of a new process, with these additional variables. */
  env(more?: Record<string, string>): Record<string, string>;
  /** Whether all visible processes are the sandbox's. */
  alone: boolean;
  /** Returns false if the host is slow; `resume` is called once it has caught up. */
  onData: (id: string, from: "out" | "err", bytes: Buffer) => boolean;
  onExit: (id: string, code: number, signal?: string) => void;
  /** Called if the program does not read its input and should be killed. */
  onUnread: (id: string, pid: number | undefined) => void;
}) {
  const open = new Map<string, ChildProcess>();
  const unread = new WeakSet<ChildProcess>();

  return {
    start(id: string, command: string, env: Record<string, string> = {}): void {
      const child = spawn("sh", ["-c", `${afterGuest(options.alone)} bash -c "$0"`, command], {
        cwd: options.root,
        env: { ...options.env(env), ...env, [MARK]: id },
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      });
      open.set(id, child);
      const read = (from: "out" | "err", stream: NodeJS.ReadableStream) =>
        stream.on("data", (bytes: Buffer) => {
          if (!options.onData(id, from, bytes)) stream.pause();
        });
      read("out", child.stdout);
      read("err", child.stderr);
      // The exit is reported separately.
      child.stdin.on("error", () => undefined);
      const end = (code: number, signal?: string) => {
        if (open.delete(id)) options.onExit(id, code, signal);
      };
      child.on("error", (error) => {
        options.onData(id, "err", Buffer.from(`${error.message}\n`));
        end(127);
      });
      // Reads the remaining output before reporting the exit, unless a child process keeps the pipe
      // open.
      child.on("exit", (code, signal) => {
        const finish = () => end(code ?? 128, signal ?? undefined);
        child.on("close", finish);
        setTimeout(finish, LAST_WORDS_MS).unref();
      });
    },
    write(id: string, bytes: Uint8Array): void {
      const child = open.get(id);
      if (!child?.stdin || unread.has(child)) return;
      child.stdin.write(bytes);
      if (child.stdin.writableLength <= UNREAD) return;
      // Unread input would use up the sandbox's memory.
      unread.add(child);
      options.onUnread(id, child.pid);
    },
    pidOf: (id: string) => open.get(id)?.pid,
    list: () => [...open.keys()],
    resume(): void {
      for (const child of open.values()) {
        child.stdout?.resume();
        child.stderr?.resume();
      }
    },
  };
}

/** Maximum number of bytes queued for a program that does not read. */
const UNREAD = 32 * 1024 * 1024;
/** How long to wait for more output after a program's exit, in milliseconds. */
const LAST_WORDS_MS = 500;
