import { readFileSync } from "node:fs";

/** Interval of the checks while no command ends. */
const EVERY_MS = 1_000;

export type CountedLimit = "memory" | "processes";

/** The files in which the kernel counts refusals, in cgroup v2 and in cgroup v1. */
const COUNTS: readonly { limit: CountedLimit; files: readonly string[]; word: string }[] = [
  { limit: "memory", files: ["memory.events", "memory/memory.oom_control"], word: "oom_kill" },
  { limit: "processes", files: ["pids.events", "pids/pids.events"], word: "max" },
];

/**
 * Reports when this sandbox was refused memory or processes: the kernel only counts refusals. For hosts that cannot see
 * the counts because the sandbox runs in a virtual machine.
 * @param folder of this sandbox's control groups, as seen from inside it
 * @returns a function that checks now, for a process that just exited and may have been refused something
 */
export function watchCountedRefusals(
  folder: string,
  onRefused: (limit: CountedLimit) => void,
): () => void {
  const counts = () => COUNTS.map(({ files, word }) => countIn(folder, files, word));
  let before = counts();
  const look = () => {
    const now = counts();
    for (const [index, { limit }] of COUNTS.entries())
      if (now[index]! > before[index]!) onRefused(limit);
    before = now;
  };
  setInterval(look, EVERY_MS).unref();
  return look;
}

function countIn(folder: string, files: readonly string[], word: string): number {
  for (const file of files)
    try {
      const text = readFileSync(`${folder}/${file}`, "utf8");
      return Number(new RegExp(`^${word} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    } catch {
      continue;
    }
  return 0;
}
