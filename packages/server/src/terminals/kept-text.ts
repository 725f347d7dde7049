import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { appendFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Characters of the past that are kept at least, where there were as many; twice as many at most. */
export const KEPT = 256 * 1024;
/** What was printed is on disk after this long: a kill in between loses the last words of a screen, and nothing else. */
const FLUSH_MS = 150;

/** The newest of what a terminal printed, in memory and in a file, so that it outlives the shell and the server. */
export interface KeptText {
  /** From the beginning of a line, where there is one. */
  text(): string;
  add(piece: string): void;
  /** Resolves when all of it is on disk; a disk that takes nothing is passed over. */
  settled(): Promise<void>;
  /** Forgets it, on disk too. */
  remove(): Promise<void>;
}

/** Reads what is there when it is first asked. Never throws: without its past, a terminal is still a terminal. */
export function keepText(file: string): KeptText {
  let pieces: string[] | undefined;
  let length = 0;
  let unwritten: string[] = [];
  let unwrittenLength = 0;
  let fileLength = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let removed = false;

  function load(): string[] {
    if (!pieces) {
      const past = read(file);
      pieces = past === "" ? [] : [past];
      length = past.length;
      fileLength = past.length;
    }
    return pieces;
  }

  function joined(): string {
    const all = load().join("");
    const text = all.length > 2 * KEPT ? fromLine(all.slice(-KEPT)) : all;
    pieces = text === "" ? [] : [text];
    length = text.length;
    return text;
  }

  async function flush(): Promise<void> {
    if (unwrittenLength === 0 || removed) return;
    const more = unwritten.join("");
    unwritten = [];
    unwrittenLength = 0;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (fileLength + more.length <= 2 * KEPT) {
      fileLength += more.length;
      await appendFile(file, more, { mode: 0o600 });
      return;
    }
    const whole = fromLine(joined().slice(-KEPT));
    fileLength = whole.length;
    await writeFile(`${file}.new`, whole, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(flush).catch(() => undefined);
    return writing;
  };

  return {
    text: joined,
    add(piece) {
      if (piece === "") return;
      load().push(piece);
      length += piece.length;
      // Joined at four times the size only: at every piece it would be copied each time.
      if (length > 4 * KEPT) joined();
      unwritten.push(piece);
      unwrittenLength += piece.length;
      if (unwrittenLength > 4 * KEPT) {
        unwritten = [unwritten.join("").slice(-2 * KEPT)];
        unwrittenLength = 2 * KEPT;
      }
      timer ??= setTimeout(() => void write(), FLUSH_MS).unref();
    },
    settled: write,
    async remove() {
      removed = true;
      await write();
      pieces = [];
      length = 0;
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

/** Without the rest of a line, or of an escape sequence, that was cut. */
function fromLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(end + 1);
}
