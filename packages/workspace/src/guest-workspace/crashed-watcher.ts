import { tailOf } from "@treadle/protocol/safe-text";
/** Number of characters searched at the end of the output: a crash is printed last. */
const TAIL = 4_000;
/**
 * Quiet time that confirms a watcher's message that it waits, or a crash of Node under a command
 * for a server.
 */
const WAITS_MS = 500;
const FATAL_MS = 2_000;

/** Messages of watchers that wait for a file to change. */
const WAITS =
  /app crashed - waiting for file changes|waiting for (?:file )?changes before restarting|clean exit - waiting for changes before restart|error when starting dev server:/i;
/** The last output of Node, or of ts-node-dev, after an uncaught error. */
const FATAL = /^(?:Node\.js v\d+\.\d+\.\d+\s*$|\[ERROR\] \d\d:\d\d:\d\d )/m;
/**
 * Compilers that keep running without serving anything, and how they report a program with errors.
 */
const COMPILERS = new Set(["tsc", "webpack"]);
const HAS_ERRORS =
  /\bFound [1-9]\d* errors?\. Watching for file changes|\bcompiled with [1-9]\d* errors?\b/;
/** Commands that are meant to keep running: if their program has exited, it was the server. */
const SERVES = /\b(?:dev|start|serve|server|watch|preview|nodemon|tsx|ts-node-dev)\b/;
const FOLDER_FIRST = /^\s*cd\s[^;&|]+&&/;

/**
 * Detects that a watcher's program has crashed. The watcher itself keeps waiting for a file to change, so it would never
 * exit.
 * @param isServing whether it is listening on a port nevertheless
 */
export function watchForCrash(
  command: string,
  isServing: () => boolean,
  onCrash: () => void,
): { output(text: string): void; end(): void } {
  const only = command.replace(FOLDER_FIRST, "");
  const isOne = !/[;&|]/.test(only);
  const isToServe = isOne && SERVES.test(only);
  const isCompiler = isOne && compilesOnChange(only);
  let tail = "";
  let timer: NodeJS.Timeout | undefined;
  return {
    output(text) {
      tail = tailOf(tail + text, TAIL);
      clearTimeout(timer);
      const isFatal = isToServe && FATAL.test(tail);
      const waits = WAITS.test(tail) || (isCompiler && HAS_ERRORS.test(tail));
      const quiet = waits ? WAITS_MS : isFatal ? FATAL_MS : undefined;
      if (quiet === undefined) return;
      timer = setTimeout(() => !isServing() && onCrash(), quiet);
    },
    end: () => clearTimeout(timer),
  };
}

/** Whether a command is a compiler in watch mode, directly or through a package manager. */
function compilesOnChange(command: string): boolean {
  const words = command.trim().split(/\s+/);
  const [first = "", second] = words;
  const isExec = second === "exec" && ["npm", "pnpm", "yarn"].includes(first);
  const [program = "", ...rest] = words.slice(["npx", "bunx"].includes(first) ? 1 : isExec ? 2 : 0);
  return COMPILERS.has(program) && rest.some((word) => word === "-w" || word === "--watch");
}

/** The message for a command that was killed because it waits for a change. */
export const WAITED =
  "\ntreadle: the program crashed, and its watcher waits for a file to change, so it was ended.\n";
