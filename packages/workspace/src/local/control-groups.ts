import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where the groups of sandboxes stand, for the older hierarchies and the unified one. */
const V1 = ["/sys/fs/cgroup/memory/treadle", "/sys/fs/cgroup/pids/treadle"] as const;
const V2 = "/sys/fs/cgroup/treadle";
export const CONTROL_GROUP_FOLDERS: readonly string[] = [...V1, V2];

export interface ResourceLimits {
  /** Bytes. */
  memory: number;
  processes: number;
}

export const DEFAULT_LIMITS: ResourceLimits = { memory: 2 * 1024 ** 3, processes: 512 };

/** Which controls this machine lets us use: the unified hierarchy, the older one, or none. */
export function controlGroupVersion(): 2 | 1 | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync("/sys/fs/cgroup/memory/tasks") && existsSync("/sys/fs/cgroup/pids")) return 1;
  if (existsSync("/sys/fs/cgroup/cgroup.subtree_control")) {
    try {
      writeFileSync("/sys/fs/cgroup/cgroup.subtree_control", "+memory +pids");
      return 2;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** A group can be taken away once its last process is gone, which is a little after the sandbox's own end. */
const REMOVE_TRIES = 100;
const REMOVE_EVERY_MS = 20;

export interface ControlGroups {
  /** To enter. */
  folders: string[];
  /** Resolves when no process is left in them and they are gone, or after two seconds of trying. */
  remove(): Promise<void>;
}

/**
 * Makes control groups for one sandbox, where the machine has them.
 * @returns no folders where it has none.
 */
export function makeControlGroups(name: string, limits: ResourceLimits): ControlGroups {
  const version = controlGroupVersion();
  const folders: string[] = [];
  const own = `sandbox-${process.pid}-${name}-${randomBytes(3).toString("hex")}`;
  const set = (folder: string, values: Record<string, string>) => {
    try {
      mkdirSync(folder, { recursive: true });
      for (const [file, value] of Object.entries(values)) writeFileSync(join(folder, file), value);
      folders.push(folder);
    } catch {
      // A machine that shows a hierarchy and refuses it has none; the process limits still hold.
    }
  };
  if (version === 1) {
    set(`${V1[0]}/${own}`, {
      "memory.limit_in_bytes": String(limits.memory),
    });
    set(`${V1[1]}/${own}`, { "pids.max": String(limits.processes) });
  } else if (version === 2) {
    set(V2, { "cgroup.subtree_control": "+memory +pids" });
    folders.length = 0;
    set(`${V2}/${own}`, {
      "memory.max": String(limits.memory),
      "memory.swap.max": "0",
      "pids.max": String(limits.processes),
    });
  }
  return {
    folders,
    async remove() {
      for (const folder of folders)
        for (let tries = 0; tries < REMOVE_TRIES; tries++) {
          try {
            rmdirSync(folder);
            break;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") break;
            await sleep(REMOVE_EVERY_MS);
          }
        }
    },
  };
}

/**
 * What to put before a command where there are no control groups: the kernel's older limits. Processes are then counted
 * within the sandbox's own user namespace; memory is that of each process alone.
 */
export function limitWords(groups: ControlGroups, limits: ResourceLimits): string[] {
  if (groups.folders.length > 0) return [];
  return ["prlimit", `--nproc=${limits.processes}`, `--data=${limits.memory}`, "--"];
}
