import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ResourceLimits } from "../limits/limits.ts";

/** The resources that the kernel can limit for a group of processes. */
export type Control = "memory" | "pids" | "cpu";
const CONTROLS: readonly Control[] = ["memory", "pids", "cpu"];

/** Where this machine permits Treadle to create groups: a parent folder for each controller. */
export interface ControlPlaces {
  /** cgroup v2, or v1 with one tree for each controller. */
  version: 2 | 1;
  folders: Partial<Record<Control, string>>;
}

/**
 * Finds usable control groups: v1, v2, or the part of v2 that was delegated to this user (as
 * systemd does for services and logins).
 * @returns undefined if there are none
 */
export function findControlPlaces(
  root = "/sys/fs/cgroup",
  self = "/proc/self/cgroup",
  isRoot = process.getuid?.() === 0,
): ControlPlaces | undefined {
  if (existsSync(join(root, "cgroup.controllers"))) return unified(root, self, isRoot);
  if (!isRoot) return undefined;
  const folders: ControlPlaces["folders"] = {};
  for (const control of CONTROLS)
    if (existsSync(join(root, control, "cgroup.procs")) && isWritable(join(root, control)))
      folders[control] = join(root, control, "treadle");
  return Object.keys(folders).length > 0 ? { version: 1, folders } : undefined;
}

function unified(root: string, self: string, isRoot: boolean): ControlPlaces | undefined {
  const parent = isRoot ? root : delegated(root, self);
  if (parent === undefined || !isWritable(parent)) return undefined;
  const folders: ControlPlaces["folders"] = {};
  for (const control of CONTROLS)
    if (offers(parent, control)) folders[control] = join(parent, "treadle");
  return Object.keys(folders).length > 0 ? { version: 2, folders } : undefined;
}

/**
 * The parent of the server's own group. A group that has processes, such as the server's own, cannot delegate
 * controllers.
 */
function delegated(root: string, self: string): string | undefined {
  try {
    const own = /^0::(\/.+)$/m.exec(readFileSync(self, "utf8"))?.[1];
    return own && join(root, dirname(own));
  } catch {
    return undefined;
  }
}

/** Whether subgroups can use a controller; enables it if necessary. */
function offers(group: string, control: Control): boolean {
  const file = join(group, "cgroup.subtree_control");
  try {
    const known = () => readFileSync(file, "utf8").split(/\s/).includes(control);
    if (!known()) writeFileSync(file, `+${control}`);
    return known();
  } catch {
    return false;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

let found: { places: ControlPlaces | undefined } | undefined;

/** The result of `findControlPlaces`, cached. */
export function controlPlaces(): ControlPlaces | undefined {
  found ??= { places: findControlPlaces() };
  return found.places;
}

/** Folders in which the groups of sandboxes are created. */
export function controlGroupFolders(): string[] {
  return [...new Set(Object.values(controlPlaces()?.folders ?? {}))];
}

/**
 * Maximum number of attempts to remove a group: its last process may exit a little after the
 * sandbox.
 */
const REMOVE_TRIES = 100;
const REMOVE_EVERY_MS = 20;
/** Period over which the processor quota is measured, in microseconds. */
const PERIOD_US = 100_000;

/** What a group exceeded since it was created. */
export interface LimitCounts {
  /** Number of processes killed because memory ran out. */
  memory: number;
  /** Number of processes and threads that could not be started because of the limit. */
  processes: number;
}

export interface ControlGroups {
  /** Folders of the groups to enter. */
  folders: string[];
  /** Controllers in use; other resources have per-process limits. */
  controls: ReadonlySet<Control>;
  counts(): LimitCounts;
  /** All processes in the groups. */
  pids(): number[];
  /** Resolves when the groups are empty and removed, or after two seconds of trying. */
  remove(): Promise<void>;
}

export const NO_CONTROL_GROUPS: ControlGroups = {
  folders: [],
  controls: new Set(),
  counts: () => ({ memory: 0, processes: 0 }),
  pids: () => [],
  remove: async () => {},
};

type GroupLimits = Pick<ResourceLimits, "memory" | "processes" | "cpus">;

/** The files that set a limit, with their values; those in brackets are optional. */
function values(version: 2 | 1, control: Control, limits: GroupLimits): Record<string, string> {
  // A quota of the whole machine limits nothing and would only cost accounting.
  const all = limits.cpus >= availableParallelism();
  const quota = String(Math.max(1_000, Math.round(limits.cpus * PERIOD_US)));
  switch (control) {
    case "memory":
      return version === 2
        ? { "memory.max": String(limits.memory), "[memory.swap.max]": "0" }
        : {
            "memory.limit_in_bytes": String(limits.memory),
            "[memory.memsw.limit_in_bytes]": String(limits.memory),
          };
    case "pids":
      return { "pids.max": String(limits.processes) };
    case "cpu":
      return version === 2
        ? { "cpu.max": `${all ? "max" : quota} ${PERIOD_US}` }
        : { "cpu.cfs_period_us": String(PERIOD_US), "cpu.cfs_quota_us": all ? "-1" : quota };
  }
}

/**
 * The weight of all projects together relative to a single process. At 1 they would get nothing while a test run or a
 * build is busy outside; with no limit the server would starve.
 */
const WEIGHT = 8;

function weigh(base: string, version: 2 | 1): void {
  if (version === 2) writeFileSync(join(base, "cpu.weight"), String(100 * WEIGHT));
  else writeFileSync(join(base, "cpu.shares"), String(1_024 * WEIGHT));
}

/** Relative to `WEIGHT`: the server's work is small, and a person waits for it. */
const SERVER_WEIGHT = 10 * WEIGHT;
/** The maximum weight in cgroup v2. */
const MAX_WEIGHT = 10_000;

/**
 * Moves this process, and what it starts outside sandboxes, to a group with its own share of the processor beside busy
 * projects, which weigh as one group. Does nothing if control groups are unavailable.
 * @returns whether it was moved
 */
export function weighServer(places: ControlPlaces | undefined = controlPlaces()): boolean {
  const base = places?.folders.cpu;
  if (!places || base === undefined) return false;
  const folder = join(dirname(base), `treadle-server-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    if (places.version === 2)
      writeFileSync(join(folder, "cpu.weight"), String(Math.min(MAX_WEIGHT, 100 * SERVER_WEIGHT)));
    else writeFileSync(join(folder, "cpu.shares"), String(1_024 * SERVER_WEIGHT));
    writeFileSync(join(folder, "cgroup.procs"), String(process.pid));
    return true;
  } catch {
    return false;
  }
}

/** Creates control groups for one sandbox, as far as the machine supports them. */
export function makeControlGroups(
  name: string,
  limits: GroupLimits,
  places: ControlPlaces | undefined = controlPlaces(),
): ControlGroups {
  if (!places) return NO_CONTROL_GROUPS;
  const { version } = places;
  const own = `sandbox-${process.pid}-${name}-${randomBytes(3).toString("hex")}`;
  const made: Partial<Record<Control, string>> = {};
  for (const control of CONTROLS) {
    const base = places.folders[control];
    if (base === undefined) continue;
    const folder = join(base, own);
    try {
      mkdirSync(base, { recursive: true });
      if (control === "cpu") weigh(base, version);
      if (version === 2 && !offers(base, control)) continue;
      mkdirSync(folder, { recursive: true });
      for (const [file, value] of Object.entries(values(version, control, limits))) {
        const optional = file.startsWith("[");
        const path = join(folder, optional ? file.slice(1, -1) : file);
        if (!optional || existsSync(path)) writeFileSync(path, value);
      }
      made[control] = folder;
    } catch {
      // Groups that exist but cannot be used count as unavailable; per-process limits still apply.
    }
  }
  const folders = [...new Set(Object.values(made))];
  return {
    folders,
    controls: new Set(Object.keys(made) as Control[]),
    counts: () => ({
      memory: count(
        made.memory,
        version === 2 ? "memory.events" : "memory.oom_control",
        "oom_kill",
      ),
      processes: count(made.pids, "pids.events", "max"),
    }),
    pids() {
      try {
        return readFileSync(join(folders[0] ?? "", "cgroup.procs"), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map(Number);
      } catch {
        return [];
      }
    },
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

function count(folder: string | undefined, file: string, word: string): number {
  if (folder === undefined) return 0;
  try {
    const text = readFileSync(join(folder, file), "utf8");
    return Number(new RegExp(`^${word} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Shell words to put before a command to set the kernel's per-process limits, for resources without
 * a control group. Processes are then counted in the sandbox's own user namespace; memory is
 * limited for each process. There is no such limit for the processor.
 */
export function limitWords({ controls }: ControlGroups, limits: ResourceLimits): string[] {
  const words: string[] = [];
  if (!controls.has("pids")) words.push(`--nproc=${limits.processes}`);
  if (!controls.has("memory")) words.push(`--data=${limits.memory}`);
  return words.length > 0 ? ["prlimit", ...words, "--"] : [];
}
