import type { ControlGroups } from "../host/control-groups.ts";
import { memoryHit, processesHit, type LimitHit } from "../limits/limit-words.ts";
import type { ResourceLimits } from "../limits/limits.ts";

/** How often it is looked while nothing ends. */
const EVERY_MS = 1_000;

/** Tells when what runs in control groups was refused more of something: the kernel counts it and says nothing. */
export function watchLimits(options: {
  groups: ControlGroups;
  limits: ResourceLimits;
  onHit(hit: LimitHit): void;
}): {
  /** Looks now: what just ended may have ended for that reason. */
  look(): void;
  close(): void;
} {
  const { groups, limits, onHit } = options;
  let before = groups.counts();
  function look(): void {
    const now = groups.counts();
    if (now.memory > before.memory) onHit(memoryHit(limits));
    if (now.processes > before.processes) onHit(processesHit(limits));
    before = now;
  }
  const timer = setInterval(look, EVERY_MS).unref();
  return { look, close: () => clearInterval(timer) };
}
