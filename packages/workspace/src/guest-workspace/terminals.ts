import type { Terminal } from "../types.ts";
import type { Request } from "./guest-link.ts";

/** Characters of a terminal's output stored for a page that reconnects. */
const KEPT = 256 * 1024;
/**
 * Minimum interval of repeated messages: a program that is refused a host retries at once, and
 * often.
 */
const SAY_AGAIN_MS = 5_000;
/** Maximum number of remembered subjects. */
const SUBJECTS = 100;

interface Entry {
  scrollback: string;
  exitCode: number | undefined;
  onData: Set<(data: string) => void>;
  onExit: Set<(code: number) => void>;
  /** When each subject was last announced, on the monotonic clock. */
  announced: Map<string, number>;
}

/** The host's side of the ptys, with their output stored for later viewers. */
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
    entry.scrollback += text;
    if (entry.scrollback.length > 2 * KEPT) entry.scrollback = entry.scrollback.slice(-KEPT);
    for (const listener of entry.onData) listener(text);
  }

  /**
   * Adds a line from Treadle to a terminal's output, at most once per subject in `SAY_AGAIN_MS`.
   */
  function announce(id: string, subject: string, words: string): void {
    const announced = open.get(id)?.announced;
    const now = performance.now();
    if (!announced || now - (announced.get(subject) ?? -SAY_AGAIN_MS) < SAY_AGAIN_MS) return;
    if (announced.size >= SUBJECTS) announced.clear();
    announced.set(subject, now);
    data(id, `\r\n${words.trimEnd()}\r\n`);
  }

  return {
    /** Whether any terminal is open. */
    any: () => open.size > 0,
    open(id: string, request: Request): Terminal {
      // Input for a terminal that has ended is dropped.
      const send = (asked: Promise<unknown>) => void asked.catch(() => undefined);
      const entry: Entry = {
        scrollback: "",
        exitCode: undefined,
        onData: new Set(),
        onExit: new Set(),
        announced: new Map(),
      };
      open.set(id, entry);
      return {
        id,
        write: (data) => send(request("terminal-write", { terminal: id }, Buffer.from(data))),
        resize: (size) => send(request("terminal-resize", { terminal: id, ...size })),
        kill: () => send(request("terminal-kill", { terminal: id })),
        onData(listener) {
          if (entry.scrollback !== "") listener(entry.scrollback);
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

    announce,

    /** Adds a line from Treadle to every terminal, as `announce` does. */
    announceToAll(subject: string, words: string): void {
      for (const id of open.keys()) announce(id, subject, words);
    },

    exit,

    lost(): void {
      for (const id of open.keys()) exit(id, 137);
    },
  };
}
