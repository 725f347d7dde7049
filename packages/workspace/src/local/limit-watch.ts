import type { ControlGroups } from "../host/control-groups.ts";
import { memoryHit, processesHit, type LimitHit } from "../limits/limit-words.ts";
import type { ResourceLimits } from "../limits/limits.ts";

/** Interval of the checks while no command ends. */
const EVERY_MS = 1_000;

/**
 * Reports when programs in control groups were refused resources: the kernel only counts refusals.
 */
export function watchLimits(options: {
  groups: ControlGroups;
  limits: ResourceLimits;
  onHit(hit: LimitHit): void;
}): {
  /** Checks now, since a process that just exited may have exceeded a limit. */
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
