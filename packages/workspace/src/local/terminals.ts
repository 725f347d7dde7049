import type { Terminal } from "../types.ts";

/** Characters of a terminal's past that a page that comes back is shown. */
const KEPT = 256 * 1024;

interface Entry {
  past: string;
  exitCode: number | undefined;
  onData: Set<(data: string) => void>;
  onExit: Set<(code: number) => void>;
}

/** The host's side of the ptys: what they printed, kept for those who come later. */
export function createTerminals() {
  const open = new Map<string, Entry>();

  function exit(id: string, code: number): void {
    const entry = open.get(id);
    if (!entry || entry.exitCode !== undefined) return;
    entry.exitCode = code;
    for (const listener of entry.onExit) listener(code);
    open.delete(id);
  }

  return {
    open(id: string, send: (method: string, params: object, body?: Uint8Array) => void): Terminal {
      const entry: Entry = { past: "", exitCode: undefined, onData: new Set(), onExit: new Set() };
      open.set(id, entry);
      return {
        id,
        write: (data) => send("terminal-write", { terminal: id }, Buffer.from(data)),
        resize: (size) => send("terminal-resize", { terminal: id, ...size }),
        kill: () => send("terminal-kill", { terminal: id }),
        onData(listener) {
          if (entry.past !== "") listener(entry.past);
          entry.onData.add(listener);
          return () => entry.onData.delete(listener);
        },
        onExit(listener) {
          if (entry.exitCode !== undefined) listener(entry.exitCode);
          entry.onExit.add(listener);
          return () => entry.onExit.delete(listener);
        },
      };
    },

    data(id: string, text: string): void {
      const entry = open.get(id);
      if (!entry) return;
      entry.past += text;
      if (entry.past.length > 2 * KEPT) entry.past = entry.past.slice(-KEPT);
      for (const listener of entry.onData) listener(text);
    },

    exit,

    lost(): void {
      for (const id of open.keys()) exit(id, 137);
    },
  };
}
