import { readdirSync, readFileSync } from "node:fs";

export interface Running {
  pid: number;
  parent: number;
  /** The words of its command line. */
  words: string[];
}

/** Every process of this machine that can be seen. One that ends while this reads is left out. */
export function processes(): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z") return [];
        const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").filter(Boolean);
        return [{ pid: Number(name), parent: Number(parent), words }];
      } catch {
        return [];
      }
    });
}

/** What a process started, and what those started. */
export function descendants(pid: number): Running[] {
  const all = processes();
  const found: Running[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const next = all.filter(({ parent }) => parents.has(parent));
    found.push(...next);
    parents = new Set(next.map((one) => one.pid));
  }
  return found;
}
