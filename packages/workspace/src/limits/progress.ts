import type { ProcessActivity } from "./process-activity.ts";

/** Default time limit of a command that never ends but makes progress. */
export const DEFAULT_OUTER_MS = 15 * 60_000;
/** Default time limit of a command without progress. */
export const DEFAULT_QUIET_MS = 120_000;
/** Interval between measurements while nothing is printed. */
const LOOK_MS = 10_000;
/** Share of one core that counts as progress; a waiting program with timers uses less. */
const SHARE = 0.01;
const TICKS_MS = 20;
/**
 * Rate of reading and writing that counts as progress; event loops wake themselves up with a few
 * bytes.
 */
const BYTES_PER_SECOND = 256;
const BYTES = 512;

/**
 * The rule for how long work may take on any machine and network: as long as it makes progress, which means that it
 * prints, or that its processes compute, read, write or download. Work without progress for `quietMs` is considered
 * stuck. `outerMs` limits work that would never end.
 * @param options.activity undefined if it cannot be measured; then only printing counts
 */
export function limitByProgress(options: {
  quietMs: number;
  outerMs: number;
  activity(): Promise<ProcessActivity | undefined>;
  onOver(why: "timeout" | "quiet"): void;
}): {
  /** Call when the work has printed something. */
  printed(): void;
  end(): void;
} {
  const { quietMs, outerMs, activity, onOver } = options;
  const everyMs = Math.min(LOOK_MS, quietMs / 4);
  let gotOn = performance.now();
  let before: { at: number; activity: ProcessActivity } | undefined;
  let ended = false;
  let next: NodeJS.Timeout;

  async function look(): Promise<void> {
    const now = await activity().catch(() => undefined);
    const at = performance.now();
    if (now && before && hasMoved(before.activity, now, at - before.at)) gotOn = at;
    before = now && { at, activity: now };
    if (ended) return;
    if (at - gotOn >= quietMs) return finish("quiet");
    lookAgain();
  }
  function lookAgain(): void {
    next = setTimeout(() => void look(), everyMs);
  }
  function finish(why: "timeout" | "quiet"): void {
    end();
    onOver(why);
  }
  function end(): void {
    ended = true;
    clearTimeout(outer);
    clearTimeout(next);
  }

  const outer = setTimeout(() => finish("timeout"), outerMs);
  lookAgain();
  return { printed: () => void (gotOn = performance.now()), end };
}

function hasMoved(before: ProcessActivity, now: ProcessActivity, ms: number): boolean {
  const cpuMs = now.cpuMs - before.cpuMs;
  const bytes = now.bytes - before.bytes;
  // Less than before: some of the measured processes have exited.
  if (cpuMs < 0 || bytes < 0) return true;
  return (
    cpuMs >= Math.max(TICKS_MS, SHARE * ms) ||
    bytes >= Math.max(BYTES, (BYTES_PER_SECOND * ms) / 1_000)
  );
}
