import { spawn, type ChildProcess } from "node:child_process";
import { MARK } from "./process-table.ts";
import { afterGuest } from "./processes.ts";

/** Programs that are spoken to over their stdin and stdout, the two apart from stderr. */
export function createPipes(options: {
  root: string;
  /** The environment of a process that is started, where this much is set for it besides. */
  env(more?: Record<string, string>): Record<string, string>;
  /** As for commands. */
  alone: boolean;
  /** Returns false when the host is slow; `resume` is called when it is not any more. */
  onData: (id: string, from: "out" | "err", bytes: Buffer) => boolean;
  onExit: (id: string, code: number, signal?: string) => void;
  /** It does not read what it is told; it is to be ended. */
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
      // Who no longer reads is told of by its end.
      child.stdin.on("error", () => undefined);
      const end = (code: number, signal?: string) => {
        if (open.delete(id)) options.onExit(id, code, signal);
      };
      child.on("error", (error) => {
        options.onData(id, "err", Buffer.from(`${error.message}\n`));
        end(127);
      });
      // What it said last is read before its end is told, unless something that it left behind keeps the pipe open.
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
      // Held here, it would take the sandbox's memory from all that runs in it.
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

/** Bytes that wait for a program that does not read. */
const UNREAD = 32 * 1024 * 1024;
/** How long output may still come after a program's own end. */
const LAST_WORDS_MS = 500;
