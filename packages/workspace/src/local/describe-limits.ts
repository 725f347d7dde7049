import {
  inMegabytes,
  limitVariable,
  type LimitName,
  type ResourceLimits,
} from "../limits/limits.ts";
import type { Control, ControlPlaces } from "../host/control-groups.ts";

/**
 * Describes each limit of a project on this machine and what enforces it, one per line, for
 * `treadle doctor`.
 */
export function describeLimits(
  limits: ResourceLimits,
  places: ControlPlaces | undefined,
): { name: string; detail: string }[] {
  const by = (control: Control, without: string) =>
    places?.folders[control] === undefined ? without : `by cgroup v${places.version}`;
  const line = (limit: LimitName, name: string, amount: string, how: string) => ({
    name,
    detail: `${amount} for each project, ${how} (${limitVariable(limit)})`,
  });
  return [
    line(
      "memory",
      "memory",
      inMegabytes(limits.memory),
      by("memory", "counted for each of its processes alone: no control group can be used"),
    ),
    line(
      "processes",
      "processes",
      String(limits.processes),
      by("pids", "counted by the kernel for its user"),
    ),
    line(
      "cpus",
      "cpu",
      `${limits.cpus} ${limits.cpus === 1 ? "core" : "cores"}`,
      by("cpu", "not held: it gets what nobody else wants; no control group can be used"),
    ),
    line("openFiles", "open files", `${limits.openFiles}`, "counted for each process"),
    line("disk", "disk", inMegabytes(limits.disk), "measured while it writes"),
  ];
}
