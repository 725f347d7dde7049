import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Author, TerminalSharing } from "@treadle/protocol";
import type { Terminal, Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, keepText, type KeptText } from "@treadle/common";
import type { TextBacklog } from "@treadle/common";
import { createTerminalLabels } from "./terminal-labels.ts";
import { createTerminalOwners } from "./terminal-owners.ts";

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
  /** Calls the listener when the shell has exited: with its code, or without one when the workspace ended. */
  onExit(listener: (code: number | undefined) => void): () => void;
}

/** A person's connection to a terminal. */
export interface TerminalViewer {
  /** Undefined on a server of one person, who owns all terminals. */
  person: Author | undefined;
  /** Called once if the terminal is no longer shared with them. */
  onUnshared(): void;
}

/** A terminal in the list that everybody sees, with its owner. */
export interface TerminalEntry {
  name: string;
  /** Absent on a server of one person, and for terminals that nobody has opened since there are several people. */
  owner?: Author | undefined;
  sharing?: TerminalSharing | undefined;
  /** What the person who requests the list may do with it; absent: nothing. */
  access?: TerminalSharing | undefined;
}

export interface ProjectTerminals {
  /**
   * Returns the terminal of that name, opening it if necessary, so that a reloaded page finds its output again. Whoever
   * opens it owns it. If there are too many, the oldest without a viewer is closed.
   * @throws ApiFailure 403 `not-shared` if it is somebody else's
   */
  attach(
    name: string,
    size: Size,
    viewer: TerminalViewer,
  ): Promise<{ terminal: ProjectTerminal; detach(): void }>;
  /** Names of terminals with a shell or text, lowest first. */
  list(): Promise<string[]>;
  /** The same terminals with their owners, and what a person may do with each. */
  entries(person: Author | undefined): Promise<TerminalEntry[]>;
  /**
   * Shares one's own terminal; undefined ends the connections of others at once.
   * @throws ApiFailure 403 `not-shared` if it is somebody else's
   */
  share(
    name: string,
    sharing: TerminalSharing | undefined,
    person: Author | undefined,
  ): Promise<void>;
  /** The labels that the person gave to terminals, by terminal name. */
  labels(): Promise<Record<string, string>>;
  /**
   * Sets a terminal's label; an empty one removes it. The name does not change. Rejects on disk
   * errors, and with ApiFailure 403 `not-shared` for somebody else's.
   */
  label(name: string, label: string, person: Author | undefined): Promise<void>;
  /**
   * The end of a terminal's text, at most 32,000 characters, by its name or label; without one, of
   * the last opened. Only of those that the person may see.
   */
  read(
    name: string | undefined,
    person: Author | undefined,
  ): Promise<{ name: string; text: string } | undefined>;
  /**
   * Ends a terminal's shell and deletes its text.
   * @param isAny whether the terminal of another person may be ended, too
   * @throws ApiFailure 403 `not-shared`
   */
  end(name: string, person: Author | undefined, isAny: boolean): Promise<void>;
  /** Whether a page is viewing a terminal. */
  watched(): boolean;
  /**
   * Drops the shells, which the workspace has ended. Their text stays; resolves when it is on disk.
   */
  clear(): Promise<void>;
}

interface Entry {
  text: KeptText;
  opening: Promise<Terminal>;
  watchers: Set<TerminalViewer>;
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
  const owners = createTerminalOwners(join(folder, "owners.json"));

  function accessOf(name: string, person: Author | undefined): TerminalSharing | undefined {
    const ownership = owners.get(name);
    if (!person || !ownership || ownership.owner.id === person.id) return "type";
    return ownership.sharing;
  }
  const isOwn = (name: string, person: Author | undefined) =>
    !person || (owners.get(name)?.owner.id ?? person.id) === person.id;
  const notShared = (name: string) =>
    new ApiFailure(
      403,
      "not-shared",
      sentence("terminal-not-shared", { owner: owners.get(name)?.owner.name ?? "" }),
    );

  /** Closes the oldest terminal without a viewer if there are too many, preferably one of the person's own. */
  function makeRoom(person: Author | undefined): void {
    if (terminals.size < TERMINALS) return;
    const ownFirst = [...terminals].toSorted(
      ([a], [b]) => Number(isOwn(b, person)) - Number(isOwn(a, person)),
    );
    for (const [name, { opening, watchers }] of ownFirst) {
      if (watchers.size > 0) continue;
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
      watchers: new Set(),
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

  function view(entry: Entry, shell: Terminal, mayType: () => boolean): ProjectTerminal {
    return {
      text: entry.text,
      write(data) {
        if (!mayType()) return;
        onUse();
        shell.write(data);
      },
      resize(size) {
        if (mayType()) shell.resize(size);
      },
      onMore(listener) {
        entry.listeners.add(listener);
        return () => entry.listeners.delete(listener);
      },
      clear() {
        if (mayType()) entry.text.clear();
      },
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
    async attach(name, size, viewer) {
      const { person } = viewer;
      await owners.load();
      if (!accessOf(name, person)) throw notShared(name);
      const known = terminals.get(name);
      if (!known) makeRoom(person);
      if (person && !owners.get(name)) await owners.set(name, { owner: person });
      const entry = known ?? terminals.get(name) ?? openShell(name, size);
      entry.watchers.add(viewer);
      const detach = () => entry.watchers.delete(viewer);
      const mayType = () => accessOf(name, person) === "type";
      try {
        const shell = await entry.opening;
        // The owner may have stopped sharing the terminal meanwhile.
        if (!accessOf(name, person)) throw notShared(name);
        if (known && mayType()) shell.resize(size);
        return { terminal: view(entry, shell, mayType), detach };
      } catch (error) {
        detach();
        throw error;
      }
    },
    list,
    async entries(person) {
      await owners.load();
      return (await list()).map((name) => ({
        name,
        ...owners.get(name),
        access: accessOf(name, person),
      }));
    },
    async share(name, sharing, person) {
      await owners.load();
      if (!isOwn(name, person)) throw notShared(name);
      const owner = owners.get(name)?.owner ?? person;
      // On a server of one person there is nobody to share with.
      if (!owner) return;
      const saved = owners.set(name, { owner, sharing });
      for (const viewer of terminals.get(name)?.watchers ?? [])
        if (!accessOf(name, viewer.person)) viewer.onUnshared();
      await saved;
    },
    labels: () => labels.all(),
    async label(name, label, person) {
      await owners.load();
      if (!isOwn(name, person)) throw notShared(name);
      await labels.set(name, label);
    },
    async read(asked, person) {
      await owners.load();
      const seen = (name: string) => accessOf(name, person) !== undefined;
      const names = [...(await list()).filter(seen), SERVER_TERMINAL];
      const requested = asked ?? [...terminals.keys()].filter(seen).at(-1) ?? names[0]!;
      const name = names.includes(requested) ? requested : await labels.named(requested, names);
      if (name === undefined) return undefined;
      const text = (terminals.get(name)?.text ?? keepText(join(folder, name))).tail(READ);
      return text === "" ? undefined : { name: requested, text };
    },
    async end(name, person, isAny) {
      await owners.load();
      if (!isAny && !isOwn(name, person)) throw notShared(name);
      const entry = terminals.get(name);
      terminals.delete(name);
      const shell = await entry?.opening.catch(() => undefined);
      shell?.kill();
      await (entry?.text ?? keepText(join(folder, name))).remove();
      await labels.set(name, "").catch(() => undefined);
      await owners.set(name, undefined).catch(() => undefined);
    },
    watched: () => [...terminals.values()].some(({ watchers }) => watchers.size > 0),
    async clear() {
      const entries = [...terminals.values()];
      terminals.clear();
      for (const entry of entries) entry.cleared = true;
      await Promise.all(entries.map(({ text }) => text.settled()));
    },
  };
}
