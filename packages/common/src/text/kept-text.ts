import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { appendFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createBacklog, type TextBacklog } from "./backlog.ts";

/**
 * Minimum characters of history to store, if there are that many: 100,000 lines of 80. The file has at most twice as
 * many.
 */
export const KEPT = 8 * 1024 * 1024;
/** Milliseconds until output is written to disk. A crash loses at most the output of that time. */
const FLUSH_MS = 150;

/** The end of a terminal's output, in memory and in a file, so that it survives a restart of shell or server. */
export interface KeptText extends TextBacklog {
  /** Starts at the beginning of a line, if there is one. */
  text(): string;
  /** At most this many characters of its end. */
  tail(characters: number): string;
  add(piece: string): void;
  /** Deletes all lines but the last, which is the prompt. */
  clear(): void;
  /** Resolves when everything is on disk; disk errors are ignored. */
  settled(): Promise<void>;
  /** Deletes it, on disk too. */
  remove(): Promise<void>;
}

/**
 * Opens a terminal's history; the file is read on first use. Never throws: a terminal without history still works.
 * @param limit minimum characters of history to store
 */
export function keepText(file: string, limit = KEPT): KeptText {
  let loaded: ReturnType<typeof createBacklog> | undefined;
  /** Position of the first character that is not on disk yet. */
  let written = 0;
  let fileLength = 0;
  /** The file still contains dropped text. */
  let stale = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let removed = false;

  function log(): ReturnType<typeof createBacklog> {
    if (!loaded) {
      loaded = createBacklog(limit);
      const earlier = read(file);
      loaded.add(earlier);
      written = fileLength = earlier.length;
    }
    return loaded;
  }

  async function flush(): Promise<void> {
    const { begin, end } = log();
    if (removed || (written === end && !stale)) return;
    const from = written;
    const shouldRewrite = stale || from < begin || fileLength + (end - from) > 2 * limit;
    written = end;
    stale = false;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (!shouldRewrite) {
        fileLength += end - from;
        await appendFile(file, log().slice(from, end - from), { mode: 0o600 });
        return;
      }
      fileLength = end - begin;
      await writeFile(`${file}.new`, log().slice(begin, end - begin), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      // It is unknown how much was written: the next write starts over.
      stale = true;
      throw error;
    }
  }

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(flush).catch(() => undefined);
    return writing;
  };
  const writeSoon = () => {
    timer ??= setTimeout(() => void write(), FLUSH_MS).unref();
  };

  return {
    get begin() {
      return log().begin;
    },
    get end() {
      return log().end;
    },
    slice: (from, most) => log().slice(from, most),
    text: () => log().slice(0),
    tail: (characters) => log().slice(log().end - characters),
    add(piece) {
      if (piece === "") return;
      log().add(piece);
      writeSoon();
    },
    clear() {
      const text = log().slice(0);
      log().dropBefore(log().end - (text.length - text.lastIndexOf("\n") - 1));
      stale = true;
      writeSoon();
    },
    settled: write,
    async remove() {
      removed = true;
      await write();
      log().dropBefore(log().end);
      rmSync(file, { force: true });
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
