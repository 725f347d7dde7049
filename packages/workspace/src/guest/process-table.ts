import { readFileSync, readdirSync } from "node:fs";

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
      const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
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

/** Value by which a spawned command and all that it leaves behind can be recognised (also after a double fork). */
export const MARK = "TREADLE_PROCESS";

/** Pids of a command's whole family: its session, its descendants, and whoever carries its mark. */
export function familyOf(root: number, mark: string): number[] {
  const rows = readProcesses();
  const family = new Set<number>([root]);
  const wanted = `${MARK}=${mark}`;
  for (const row of rows) {
    if (row.session === root || row.group === root || carries(row.pid, wanted)) family.add(row.pid);
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows)
      if (family.has(row.parent) && !family.has(row.pid)) {
        family.add(row.pid);
        grown = true;
      }
  }
  return rows.filter((row) => family.has(row.pid) && row.pid !== process.pid).map((row) => row.pid);
}

function carries(pid: number, wanted: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(wanted);
  } catch {
    return false;
  }
}
