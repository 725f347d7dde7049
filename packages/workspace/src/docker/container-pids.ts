import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "./engine.ts";

const CONTROL_GROUPS = "/sys/fs/cgroup";

/**
 * Returns a function that lists the pids, on this machine, of all processes in a container. The list is empty if the
 * engine runs on another machine (on a Mac, in a virtual machine), or the processes are not visible.
 */
export async function pidsOfContainer(engine: Engine, id: string): Promise<() => number[]> {
  const folder = await engine
    .getContainer(id)
    .inspect()
    .then(({ State }) => groupFolder(State.Pid, id))
    .catch(() => undefined);
  return () => {
    if (folder === undefined) return [];
    try {
      return readFileSync(join(folder, "cgroup.procs"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map(Number);
    } catch {
      return [];
    }
  };
}

/**
 * The control group's folder of a container's first process; undefined if the pid is another process here.
 * @throws if there is no such process on this machine
 */
function groupFolder(pid: number, id: string): string | undefined {
  for (const line of readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n")) {
    const [, controls, path] = line.split(":");
    // On another machine, this pid would be an unrelated process.
    if (!path?.includes(id)) continue;
    if (controls === "") return join(CONTROL_GROUPS, path);
    if (controls === "pids") return join(CONTROL_GROUPS, "pids", path);
  }
  return undefined;
}
