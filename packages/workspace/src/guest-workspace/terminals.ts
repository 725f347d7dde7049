import type { Terminal } from "../types.ts";
import type { Request } from "./guest-link.ts";

/** Characters of a terminal's past that a page that comes back is shown. */
const KEPT = 256 * 1024;
/** A program that is refused a host tries again at once, and often. */
const SAY_AGAIN_MS = 5_000;
/** Remembered at a time. */
const SUBJECTS = 100;

interface Entry {
  past: string;
  exitCode: number | undefined;
  onData: Set<(data: string) => void>;
  onExit: Set<(code: number) => void>;
  /** When it was last told of each thing, on the monotonic clock. */
  said: Map<string, number>;
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

  function data(id: string, text: string): void {
    const entry = open.get(id);
    if (!entry) return;
    entry.past += text;
    if (entry.past.length > 2 * KEPT) entry.past = entry.past.slice(-KEPT);
    for (const listener of entry.onData) listener(text);
  }

  /** A line of ours among what its programs print; about one subject not again before `SAY_AGAIN_MS` are over. */
  function say(id: string, subject: string, words: string): void {
    const said = open.get(id)?.said;
    const now = performance.now();
    if (!said || now - (said.get(subject) ?? -SAY_AGAIN_MS) < SAY_AGAIN_MS) return;
    if (said.size >= SUBJECTS) said.clear();
    said.set(subject, now);
    data(id, `\r\n${words.trimEnd()}\r\n`);
  }

  return {
    /** Whether one is open. */
    any: () => open.size > 0,
    open(id: string, request: Request): Terminal {
      // What cannot be told any more goes to a terminal that is gone.
      const tell = (asked: Promise<unknown>) => void asked.catch(() => undefined);
      const entry: Entry = {
        past: "",
        exitCode: undefined,
        onData: new Set(),
        onExit: new Set(),
        said: new Map(),
      };
      open.set(id, entry);
      return {
        id,
        write: (data) => tell(request("terminal-write", { terminal: id }, Buffer.from(data))),
        resize: (size) => tell(request("terminal-resize", { terminal: id, ...size })),
        kill: () => tell(request("terminal-kill", { terminal: id })),
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

    data,

    say,

    /** The same in every terminal. */
    sayToAll(subject: string, words: string): void {
      for (const id of open.keys()) say(id, subject, words);
    },

    exit,

    lost(): void {
      for (const id of open.keys()) exit(id, 137);
    },
  };
}
