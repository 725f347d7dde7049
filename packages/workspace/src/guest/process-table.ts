import { readFileSync, readdirSync } from "node:fs";

/** Where the number of threads stands in /proc/PID/stat, counted from behind the session. */
const THREADS = 13;

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
}

/** Every process of the sandbox. A process that ends while this reads is left out. */
export function readProcesses(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The program's name stands in brackets and may hold anything, brackets and spaces included.
      const [state, parent, group, session, ...others] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ");
      // One that has ended and only waits for its parent cannot be ended again; with threads left it is still ending,
      // and may hold its ports.
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

/** How many there are, the dead among them, which takes far less than to read them. */
export const countProcesses = (): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length;

/** Value by which a spawned command and all that it leaves behind can be recognised (also after a double fork). */
export const MARK = "TREADLE_PROCESS";

/**
 * Pids of a command's whole family: its session, its descendants, and whoever carries its mark.
 * @param root absent once the command itself has ended; then the mark alone tells
 */
export function familyOf(root: number | undefined, mark: string): number[] {
  // No mark is what every process of the machine carries: whoever asks for that has made a mistake.
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
 * Pids that belong to nobody: they left their parents and threw their environment away, and with it the mark. Nothing
 * that was started properly is like this. Only asked where the process table is the sandbox's own.
 */
export function straysOf(): number[] {
  const rows = readProcesses();
  const strays = rows.filter(
    ({ pid, parent }) => parent === 1 && pid !== process.pid && markOf(pid) === undefined,
  );
  return withDescendants(rows, new Set(strays.map(({ pid }) => pid)));
}

/** Pids of everything but this program and those that it was started by. Only asked as `straysOf` is. */
export function strangersOf(): number[] {
  const rows = readProcesses();
  const own = new Set([1]);
  for (let pid = process.pid; !own.has(pid);) {
    own.add(pid);
    pid = rows.find((row) => row.pid === pid)?.parent ?? 1;
  }
  return rows.map(({ pid }) => pid).filter((pid) => !own.has(pid));
}

/** The marks that processes carry now. */
export function marks(): Set<string> {
  const all = readProcesses().map(({ pid }) => markOf(pid));
  return new Set(all.filter((mark) => mark !== undefined));
}

/** A process and all that it started. */
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

function markOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .find((entry) => entry.startsWith(`${MARK}=`))
      ?.slice(MARK.length + 1);
  } catch {
    return undefined;
  }
}
