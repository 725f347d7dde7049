import { readFileSync } from "node:fs";

/** How often it is looked while nothing ends. */
const EVERY_MS = 1_000;

export type CountedLimit = "memory" | "processes";

/** Where the kernel counts what it refused, in its second hierarchy of control groups and in its first. */
const COUNTS: readonly { limit: CountedLimit; files: readonly string[]; word: string }[] = [
  { limit: "memory", files: ["memory.events", "memory/memory.oom_control"], word: "oom_kill" },
  { limit: "processes", files: ["pids.events", "pids/pids.events"], word: "max" },
];

/**
 * Tells when this sandbox was refused memory or processes: the kernel counts it and says nothing. For where the host
 * does not see the counts, since the sandbox runs in a machine of its own.
 * @param folder of this sandbox's control groups, as they are seen from inside
 * @returns looks now: what just ended may have ended for that reason
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
