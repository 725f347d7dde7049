import type { ProcessActivity } from "./process-activity.ts";

/** For a command that sets no other: one that computes for ever. */
export const DEFAULT_OUTER_MS = 15 * 60_000;
/** The same for one that does nothing at all. */
export const DEFAULT_QUIET_MS = 120_000;
/** Between two looks, where nothing was printed meanwhile. */
const LOOK_MS = 10_000;
/** Of one core's time; a program that waits, with timers of its own, uses less. */
const SHARE = 0.01;
const TICKS_MS = 20;
/** Of reading and writing; event loops wake themselves up with a few bytes. */
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
  /** It has printed something. */
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
  // Less than before: some of those that were counted have ended.
  if (cpuMs < 0 || bytes < 0) return true;
  return (
    cpuMs >= Math.max(TICKS_MS, SHARE * ms) ||
    bytes >= Math.max(BYTES, (BYTES_PER_SECOND * ms) / 1_000)
  );
}
