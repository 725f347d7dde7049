import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Terminal, Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, keepText, type KeptText } from "@treadle/common";
import type { TextBacklog } from "@treadle/common";
import { createTerminalLabels } from "./terminal-labels.ts";

/** Maximum number of concurrent shells of one project. */
export const TERMINALS = 8;
/** The name under which the output of the project's own server is read; it takes no input. */
export const SERVER_TERMINAL = "server";

/**
 * Resets the screen after a program was cut off: back to the normal screen with all modes as at the start. 1049 also
 * restores the cursor saved last. On the normal screen it is saved just before, or the next line would be drawn at the
 * top over existing text.
 */
const CALM =
  "\x1b7\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[!p\x1b[0m\x1b[?25h";
const NEW_SHELL = `${CALM}\r\n\x1b[2m— that shell has ended; this is a new one —\x1b[0m\r\n`;

/** Number of characters of a terminal that are read at once. */
const READ = 32_000;

type Size = { columns: number; rows: number };

/** A terminal as a page sees it. The text outlives the shell and continues with the next one. */
export interface ProjectTerminal {
  /** Everything printed, including by earlier shells. */
  readonly text: TextBacklog;
  write(data: string): void;
  resize(size: Size): void;
  /** Calls the listener on new output until the returned function is called. */
  onMore(listener: () => void): () => void;
  /** Deletes all lines but the last, which is the prompt. */
  clear(): void;
  /** Called when its shell has exited: with its code, or without one when the workspace ended. */
  onExit(listener: (code: number | undefined) => void): () => void;
}

export interface ProjectTerminals {
  /**
   * Returns the terminal of that name, opening it if necessary, so that a reloaded page finds its output again. If there
   * are too many, the oldest without a viewer is closed.
   */
  attach(name: string, size: Size): Promise<{ terminal: ProjectTerminal; detach(): void }>;
  /** Names of terminals with a shell or text, lowest first. */
  list(): Promise<string[]>;
  /** The labels that the person gave to terminals, by terminal name. */
  labels(): Promise<Record<string, string>>;
  /**
   * Sets a terminal's label; an empty one removes it. The name does not change. Rejects on disk
   * errors.
   */
  label(name: string, label: string): Promise<void>;
  /**
   * The end of a terminal's text, at most 32,000 characters, by its name or label; without one, of
   * the last opened.
   */
  read(name?: string): Promise<{ name: string; text: string } | undefined>;
  /** Ends its shell and deletes its text. */
  end(name: string): Promise<void>;
  /** Whether a page is viewing one. */
  watched(): boolean;
  /**
   * Drops the shells, which the workspace has ended. Their text stays; resolves when it is on disk.
   */
  clear(): Promise<void>;
}

interface Entry {
  text: KeptText;
  opening: Promise<Terminal>;
  watchers: number;
  listeners: Set<() => void>;
  /** Whether the workspace was ended. */
  cleared: boolean;
}

export function createTerminals(options: {
  open(): Promise<Workspace>;
  /** The folder that stores the terminals' text. */
  folder: string;
  /** Called after input or output. */
  onUse(): void;
}): ProjectTerminals {
  const { folder, onUse } = options;
  const terminals = new Map<string, Entry>();
  const labels = createTerminalLabels(join(folder, "labels.json"));

  function makeRoom(): void {
    if (terminals.size < TERMINALS) return;
    for (const [name, { opening, watchers }] of terminals) {
      if (watchers > 0) continue;
      terminals.delete(name);
      opening.then((terminal) => terminal.kill()).catch(() => undefined);
      return;
    }
    throw new ApiFailure(
      429,
      "too-many",
      sentence("limit-reached", { what: "terminals", limit: TERMINALS }),
    );
  }

  function openShell(name: string, size: Size): Entry {
    const entry: Entry = {
      text: keepText(join(folder, name)),
      opening: options.open().then((workspace) => workspace.terminal(size)),
      watchers: 0,
      listeners: new Set(),
      cleared: false,
    };
    terminals.set(name, entry);
    const forget = () => {
      entry.text.settled().catch(() => undefined);
      if (terminals.get(name) === entry) terminals.delete(name);
    };
    entry.opening.then((terminal) => {
      if (entry.text.end > entry.text.begin) entry.text.add(NEW_SHELL);
      terminal.onData((data) => {
        onUse();
        entry.text.add(data);
        for (const listener of entry.listeners) listener();
      });
      terminal.onExit(forget);
    }, forget);
    return entry;
  }

  function view(entry: Entry, shell: Terminal): ProjectTerminal {
    return {
      text: entry.text,
      write(data) {
        onUse();
        shell.write(data);
      },
      resize: (size) => shell.resize(size),
      onMore(listener) {
        entry.listeners.add(listener);
        return () => entry.listeners.delete(listener);
      },
      clear: () => entry.text.clear(),
      onExit: (listener) => shell.onExit((code) => listener(entry.cleared ? undefined : code)),
    };
  }

  const list = async () => {
    const files = await readdir(folder).catch(() => []);
    const names = new Set([...files.filter((name) => !name.includes(".")), ...terminals.keys()]);
    names.delete(SERVER_TERMINAL);
    return [...names].toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  };

  return {
    async attach(name, size) {
      const known = terminals.get(name);
      if (!known) makeRoom();
      const entry = known ?? openShell(name, size);
      entry.watchers++;
      let attached = true;
      const detach = () => {
        if (attached) entry.watchers--;
        attached = false;
      };
      try {
        const shell = await entry.opening;
        if (known) shell.resize(size);
        return { terminal: view(entry, shell), detach };
      } catch (error) {
        detach();
        throw error;
      }
    },
    list,
    labels: () => labels.all(),
    label: (name, label) => labels.set(name, label),
    async read(asked) {
      const names = [...(await list()), SERVER_TERMINAL];
      const requested = asked ?? [...terminals.keys()].at(-1) ?? names[0]!;
      const name = names.includes(requested) ? requested : await labels.named(requested, names);
      if (name === undefined) return undefined;
      const text = (terminals.get(name)?.text ?? keepText(join(folder, name))).tail(READ);
      return text === "" ? undefined : { name: requested, text };
    },
    async end(name) {
      const entry = terminals.get(name);
      terminals.delete(name);
      const shell = await entry?.opening.catch(() => undefined);
      shell?.kill();
      await (entry?.text ?? keepText(join(folder, name))).remove();
      await labels.set(name, "").catch(() => undefined);
    },
    watched: () => [...terminals.values()].some(({ watchers }) => watchers > 0),
    async clear() {
      const entries = [...terminals.values()];
      terminals.clear();
      for (const entry of entries) entry.cleared = true;
      await Promise.all(entries.map(({ text }) => text.settled()));
    },
  };
}
