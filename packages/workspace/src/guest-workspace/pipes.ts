import { randomBytes } from "node:crypto";
import type { Pipe } from "../types.ts";
import type { GuestLink } from "./guest-link.ts";

/** Maximum number of bytes queued for a program; a program whose sandbox accepts no more is killed. */
const UNTAKEN = 64 * 1024 * 1024;
/** Maximum number of bytes buffered until there is a listener; a program that writes more is killed. */
const UNHEARD = 1024 * 1024;

/**
 * Buffers output until there is a listener, and passes it to the listener from then on. `onFull` is called once the
 * buffer would exceed `UNHEARD`.
 */
function mailbox<T extends { length: number }>(onFull: () => void) {
  let waiting: T[] = [];
  let size = 0;
  let listener: ((piece: T) => void) | undefined;
  return {
    put(piece: T): void {
      if (listener) return listener(piece);
      if (size > UNHEARD) return;
      size += piece.length;
      if (size > UNHEARD) onFull();
      else waiting.push(piece);
    },
    listen(next: (piece: T) => void): void {
      listener = next;
      for (const piece of waiting) next(piece);
      waiting = [];
    },
  };
}

interface Entry {
  out: ReturnType<typeof mailbox<Uint8Array>>;
  err: ReturnType<typeof mailbox<string>>;
  decoder: InstanceType<typeof TextDecoder>;
  leavesFiles: boolean;
  end(result: { code: number; signal?: string }): void;
}

/** The host's side of programs with piped stdin and stdout. */
export function createPipes() {
  const open = new Map<string, Entry>();

  function exit(id: string, code: number, signal?: string): void {
    const entry = open.get(id);
    if (!open.delete(id)) return;
    entry?.end({ code, signal });
  }

  return {
    /** Whether any program is running. */
    any: () => open.size > 0,
    /** Whether any program is running that may write the project's files. */
    anyWriting: () => [...open.values()].some(({ leavesFiles }) => !leavesFiles),
    async start(
      link: GuestLink,
      command: string,
      { env = {}, leavesFiles = false }: { env?: Record<string, string>; leavesFiles?: boolean },
    ): Promise<Pipe> {
      const id = randomBytes(8).toString("hex");
      const kill = async () => {
        await link.request("pipe-kill", { process: id }).catch(() => undefined);
      };
      let end!: Entry["end"];
      const ended: Pipe["ended"] = new Promise((resolve) => (end = resolve));
      const entry: Entry = {
        out: mailbox<Uint8Array>(() => void kill()),
        err: mailbox<string>(() => void kill()),
        decoder: new TextDecoder(),
        leavesFiles,
        end,
      };
      open.set(id, entry);
      void link.ended.then(() => exit(id, 137, "SIGKILL"));
      try {
        await link.request("pipe-start", { process: id, command, env });
      } catch (error) {
        open.delete(id);
        throw error;
      }
      let untaken = 0;
      return {
        write(data) {
          if (!open.has(id) || untaken > UNTAKEN) return;
          const bytes = typeof data === "string" ? Buffer.from(data) : data;
          untaken += bytes.length;
          if (untaken > UNTAKEN) return void kill();
          const taken = () => void (untaken -= bytes.length);
          link.request("pipe-write", { process: id }, bytes).then(taken, taken);
        },
        onData: entry.out.listen,
        onErrors: entry.err.listen,
        ended,
        kill,
      };
    },

    data(id: string, from: "out" | "err", bytes: Uint8Array): void {
      const entry = open.get(id);
      if (from === "out") entry?.out.put(bytes);
      else entry?.err.put(entry.decoder.decode(bytes, { stream: true }));
    },

    exit,

    /** Adds a line from Treadle to a program's stderr. */
    say: (id: string, words: string): void => open.get(id)?.err.put(words),

    sayToAll(words: string): void {
      for (const entry of open.values()) entry.err.put(words);
    },
  };
}
