import { existsSync, readFileSync, readdirSync } from "node:fs";

/** Index of the number of threads in /proc/PID/stat, counted from the field after the session. */
const THREADS = 13;

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
}

/** Every process of the sandbox. Skips processes that exit during the read. */
export function readProcesses(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The program's name is in brackets and may contain anything, including brackets and spaces.
      const [state, parent, group, session, ...others] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ");
      // A process that has exited and only waits for its parent cannot be killed; with threads left
      // it is still exiting, and may hold its ports.
      if (state === "Z" && Number(others[THREADS]) <= 1) continue;
      rows.push({
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
      });
    } catch {
      continue;
    }
  }
  return rows;
}

/** The number of processes, including zombies; much cheaper than reading them. */
export const countProcesses = (): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length;

/**
 * Environment variable that identifies a command and everything that it starts (also after a double
 * fork).
 */
export const MARK = "TREADLE_PROCESS";

/**
 * Environment variable of everything that runs in a workspace without a sandbox, by which it is found when its guest is
 * gone.
 */
export const WORKSPACE_MARK = "TREADLE_WORKSPACE";

/** Pids of all processes of a workspace without a sandbox, with their descendants. Linux only; elsewhere none are found. */
export function processesOfWorkspace(mark: string): number[] {
  if (!existsSync("/proc/self/environ")) return [];
  const rows = readProcesses();
  const marked = rows.filter(({ pid }) => variableOf(pid, WORKSPACE_MARK) === mark);
  return withDescendants(rows, new Set(marked.map(({ pid }) => pid)));
}

/**
 * Pids of a command's whole family: its session, its descendants, and every process with its mark.
 * @param root absent once the command itself has exited; then only the mark identifies the family
 */
export function familyOf(root: number | undefined, mark: string): number[] {
  // An undefined mark would match every process of the machine that has none: that is a bug in the caller.
  if (typeof mark !== "string" || mark === "") throw new TypeError("a family has a mark");
  const rows = readProcesses();
  const family = new Set<number>();
  for (const row of rows)
    if (
      markOf(row.pid) === mark ||
      (root !== undefined && (row.pid === root || row.session === root || row.group === root))
    )
      family.add(row.pid);
  return withDescendants(rows, family);
}

/**
 * Pids of orphans without a mark: they left their parents and cleared their environment. No
 * normally started process looks like this. Only called if the process table is the sandbox's own.
 */
export function straysOf(): number[] {
  const rows = readProcesses();
  const strays = rows.filter(
    ({ pid, parent }) => parent === 1 && pid !== process.pid && markOf(pid) === undefined,
  );
  return withDescendants(rows, new Set(strays.map(({ pid }) => pid)));
}

/**
 * Pids of all processes except this one and its parents. Only called if the process table is the
 * sandbox's own.
 */
export function strangersOf(): number[] {
  const rows = readProcesses();
  const own = new Set([1]);
  for (let pid = process.pid; !own.has(pid);) {
    own.add(pid);
    pid = rows.find((row) => row.pid === pid)?.parent ?? 1;
  }
  return rows.map(({ pid }) => pid).filter((pid) => !own.has(pid));
}

/** The marks of all running processes. */
export function marks(): Set<string> {
  const all = readProcesses().map(({ pid }) => markOf(pid));
  return new Set(all.filter((mark) => mark !== undefined));
}

/** Pids of a process and all its descendants, except this one. */
export const descendantsOf = (pid: number): number[] =>
  withDescendants(readProcesses(), new Set([pid]));

function withDescendants(rows: ProcessRow[], family: Set<number>): number[] {
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows)
      if (family.has(row.parent) && !family.has(row.pid)) {
        family.add(row.pid);
        grown = true;
      }
  }
  family.delete(process.pid);
  return [...family];
}

const markOf = (pid: number): string | undefined => variableOf(pid, MARK);

/** A variable of a process's environment as it was when its program started. */
function variableOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .find((entry) => entry.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  } catch {
    return undefined;
  }
}
