import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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

/**
 * Makes control groups for one sandbox, where the machine has them.
 * @returns the folders to enter and how to take them away again; both empty where there are none.
 */
export function makeControlGroups(
  name: string,
  limits: ResourceLimits,
): { folders: string[]; remove(): void } {
  const version = controlGroupVersion();
  const folders: string[] = [];
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
    set(`/sys/fs/cgroup/memory/treadle/${name}`, {
      "memory.limit_in_bytes": String(limits.memory),
    });
    set(`/sys/fs/cgroup/pids/treadle/${name}`, { "pids.max": String(limits.processes) });
  } else if (version === 2) {
    set(`/sys/fs/cgroup/treadle-${name}`, {
      "memory.max": String(limits.memory),
      "memory.swap.max": "0",
      "pids.max": String(limits.processes),
    });
  }
  return {
    folders,
    remove() {
      for (const folder of folders) {
        try {
          rmdirSync(folder);
        } catch {
          continue;
        }
      }
    },
  };
}
