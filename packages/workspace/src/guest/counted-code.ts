import { readlinkSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { FrameError, list, maybe, record, text, integer, yesOrNo } from "../wire/checks.ts";
import type { CountedScript } from "../wire/counted-script.ts";
import { createLineReader } from "./line-reader.ts";
import { listeningSockets, socketOwners } from "./listening-ports.ts";

/**
 * How long to wait for a program's answer, in milliseconds; a program that takes longer is busy or
 * hangs.
 */
const ANSWER_MS = 3_000;
/** Maximum length of one answer, in characters. */
const ANSWER_CHARS = 48 * 1024 * 1024;
/** Maximum size of the reports left by exited programs, in characters. */
const LEFT_CHARS = 32 * 1024 * 1024;
/** Maximum number of programs and threads that are asked. */
const MOST = 128;

/** The first message of a program, which identifies it. */
const greeting = record({ pid: integer(1), threadId: integer(0) });
const answer = record({
  /** The number of the request; absent when the program reports because it exits. */
  ask: maybe(integer(0)),
  scripts: list(
    record({
      url: text(4_096),
      isMapped: yesOrNo,
      text: text(Infinity),
      /** Start, end, and 1 if it ran, for each function. */
      places: list(integer(0), 600_000),
    }),
    5_000,
  ),
});
type Scripts = ReturnType<typeof answer>["scripts"];

interface Program {
  pid: number | undefined;
  socket: Socket;
  /** True once it has sent its last report, because it exits. */
  isOver: boolean;
  waiting: Map<number, (scripts: Scripts | undefined) => void>;
}

/** Programs in the sandbox that count which of the project's code runs; see count-code.ts. */
export interface CountedCode {
  /** @param path of the socket to which programs connect */
  listen(path: string): void;
  /** Returns the environment variables that make a program count. Discards earlier counts. */
  start(): Record<string, string>;
  /**
   * Functions that ran since the last call.
   * @param names parts of paths: a script whose address or text contains none of them is reported
   * without its source and functions
   * @param pids the processes that are expected to count
   */
  ran(
    names: string[],
    pids: readonly number[],
  ): Promise<{ isWhole: boolean; scripts: CountedScript[] }>;
}

/**
 * Collects the counts of the programs that connect.
 * @param guest folder of the scripts that programs load
 * @param root of the project
 */
export function createCountedCode(guest: string, root: string): CountedCode {
  const programs = new Set<Program>();
  /** Reports of programs that exited by themselves. */
  let left: Scripts = [];
  let leftChars = 0;
  /** A program was killed or sent something invalid: the functions that it ran are unknown. */
  let isLost = false;
  let asked = 0;

  function take(socket: Socket): void {
    const program: Program = { pid: undefined, socket, isOver: false, waiting: new Map() };
    socket.on("error", () => undefined);
    if (programs.size >= MOST) {
      isLost = true;
      return void socket.destroy();
    }
    programs.add(program);
    socket.setEncoding("utf8").on(
      "data",
      createLineReader({
        longest: ANSWER_CHARS,
        onLine: (line) => hear(program, line),
        onTooLong: () => socket.destroy(),
      }),
    );
    socket.on("close", () => {
      if (!programs.delete(program)) return;
      if (!program.isOver) isLost = true;
      for (const waiting of program.waiting.values()) waiting(program.isOver ? [] : undefined);
    });
  }

  function hear(program: Program, line: string): void {
    try {
      if (program.pid === undefined) {
        program.pid = greeting(JSON.parse(line)).pid;
        return;
      }
      const { ask, scripts } = answer(JSON.parse(line));
      if (ask !== undefined) return program.waiting.get(ask)?.(scripts);
      program.isOver = true;
      if (!programs.has(program)) return;
      for (const script of scripts) {
        leftChars += script.text.length;
        if (leftChars > LEFT_CHARS) isLost = true;
        else left.push(script);
      }
    } catch (error) {
      if (!(error instanceof FrameError || error instanceof SyntaxError)) throw error;
      program.socket.destroy();
    }
  }

  function ask(program: Program, names: string[]): Promise<Scripts | undefined> {
    const number = ++asked;
    return new Promise((resolve) => {
      const report = (scripts: Scripts | undefined) => {
        clearTimeout(late);
        program.waiting.delete(number);
        resolve(scripts);
      };
      const late = setTimeout(report, ANSWER_MS, undefined);
      program.waiting.set(number, report);
      program.socket.write(`${JSON.stringify({ ask: number, names })}\n`);
    });
  }

  /**
   * Whether each of these processes counts, apart from those that cannot run and serve JavaScript.
   */
  function doAllCount(pids: readonly number[]): boolean {
    const counting = new Set([...programs].map(({ pid }) => pid));
    const others = pids.filter((pid) => !counting.has(pid));
    const owners = socketOwners(others);
    return (
      !others.some((pid) => programOf(pid) === programOf(process.pid)) &&
      !listeningSockets().some(({ inode }) => owners.has(inode))
    );
  }

  return {
    listen(path) {
      rmSync(path, { force: true });
      createServer(take).listen(path);
    },
    start() {
      programs.clear();
      left = [];
      leftChars = 0;
      isLost = false;
      return { NODE_OPTIONS: `--require ${JSON.stringify(`${guest}/count-code.cjs`)}` };
    },
    async ran(names, pids) {
      const all = [...programs];
      const answers = await Promise.all(all.map((program) => ask(program, names)));
      const scripts = [...left, ...answers.flatMap((one) => one ?? [])];
      left = [];
      leftChars = 0;
      const isWhole = !isLost && !answers.includes(undefined) && all.length > 0 && doAllCount(pids);
      return { isWhole, scripts: scripts.flatMap((script) => scriptIn(script, root)) };
    },
  };
}

/** Gives a script the path that it has in the project; an empty list for a script outside of it. */
function scriptIn({ url, ...script }: Scripts[number], root: string): CountedScript[] {
  const bundled = url.startsWith("webpack-internal:");
  const file = bundled ? url : url.startsWith("file:") ? pathOf(url) : url;
  if (file === undefined || !(bundled || file.startsWith(`${root}/`))) return [];
  return [{ path: bundled ? file : file.slice(root.length + 1), ...script }];
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** The program that a process runs; undefined if the process has exited. */
function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
