import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { basename, relative } from "node:path";
import { FrameError, list, maybe, record, text, integer, type ValueCheck } from "../wire/checks.ts";
import type { EndedPart } from "../wire/ended-part.ts";

/** Maximum number of files read, and of bytes of each: any program in the sandbox can write them. */
const MOST_PARTS = 200;
const PART_BYTES = 64 * 1024;
/** Maximum number of reported parts. */
const MOST_TOLD = 10;
const NAME_CHARS = 120;
const TEXT_CHARS = 2_000;

const orNull =
  <T>(check: ValueCheck<T>): ValueCheck<T | null> =>
  (value) =>
    value === null ? null : check(value);

const noted = record({
  pid: integer(0),
  above: list(integer(0), 20),
  cwd: text(),
  command: list(text(Infinity), 1_000),
  end: maybe(
    record({
      code: orNull(integer(-1_000, 1_000_000)),
      signal: orNull(text(20)),
      text: text(8_000),
    }),
  ),
});
type Noted = ReturnType<typeof noted>;

/**
 * Parts of the server that exited while others still run; see note-end.ts.
 * @param guest folder of the scripts that programs load
 * @param folder of the files in which parts are noted
 * @param root of the project
 */
export function createEndedParts(guest: string, folder: string, root: string) {
  return {
    /**
     * Returns the environment variables that a server needs. Discards the notes of the previous
     * server.
     */
    start(given: Record<string, string> | undefined): Record<string, string> {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const own = `--require ${JSON.stringify(`${guest}/note-end.cjs`)}`;
      const before = given?.["NODE_OPTIONS"];
      return { TREADLE_ENDS: folder, NODE_OPTIONS: before ? `${before} ${own}` : own };
    },

    /**
     * Parts that exited and were not started again. Of a chain of processes that exited together,
     * only the innermost.
     */
    read(): EndedPart[] {
      const ended = readAll(folder).filter(({ end }) => end !== undefined);
      const reasons = new Set(ended.flatMap(({ above }) => above));
      // The note of a Node program says more than the one that its parent wrote.
      const byPid = new Map<number, Noted>();
      for (const part of ended) {
        const known = byPid.get(part.pid);
        if (!reasons.has(part.pid) && (!known || known.end!.text === "")) byPid.set(part.pid, part);
      }
      return [...byPid.values()].slice(0, MOST_TOLD).map((part) => toldOf(part, root));
    },
  };
}

export type EndedParts = ReturnType<typeof createEndedParts>;

function toldOf({ cwd, command, end }: Noted, root: string): EndedPart {
  const { code, signal, text } = end!;
  return {
    name: nameOf(cwd, command, root).slice(0, NAME_CHARS),
    ...(code !== null && { code }),
    ...(signal !== null && { signal }),
    text: text.trim().slice(-TEXT_CHARS),
  };
}

/**
 * Names a command by its file in the project, by its tool, or as it was typed, with the folder in
 * which it was started.
 */
function nameOf(cwd: string, command: string[], root: string): string {
  const [file = "", ...rest] = command;
  const folder = relative(root, cwd);
  const where = folder === "" || folder.startsWith("..") ? "" : ` in ${folder}`;
  // For `sh -c "…"`, the command in quotes says more than the shell.
  if (/(?:^|\/)(?:ba|da|z)?sh$/.test(file) && rest[0] === "-c") return `${rest[1] ?? file}${where}`;
  if (file.includes("/node_modules/")) return `${[basename(file), ...rest].join(" ")}${where}`;
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1);
  return `${command.join(" ")}${where}`;
}

/** Skips invalid files: any program in the sandbox could have written them. */
function readAll(folder: string): Noted[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder).slice(0, MOST_PARTS);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      const part = readSmall(`${folder}/${name}`);
      return part === undefined ? [] : [noted(JSON.parse(part))];
    } catch (error) {
      if (
        error instanceof FrameError ||
        error instanceof SyntaxError ||
        "code" in (error as object)
      )
        return [];
      throw error;
    }
  });
}

/**
 * Returns undefined unless this is a regular file within the size limit. Never blocks, even on a
 * pipe.
 */
function readSmall(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= PART_BYTES ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}
