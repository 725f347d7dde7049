import { sentence } from "@treadle/protocol/sentences";
import { availableParallelism, totalmem } from "node:os";
import { WorkspaceError } from "../types.ts";

/** Resources of the machine that one project may use. */
export interface ResourceLimits {
  /** In bytes; for all its processes together if the machine can count that. */
  memory: number;
  /** Number of processes and threads. */
  processes: number;
  /** Number of cores; may be a fraction. */
  cpus: number;
  /** Descriptors per process. */
  openFiles: number;
  /** Size of its files in bytes, including its own dependencies, checkpoints and caches. */
  disk: number;
  /** Set for the limits of a published app, which have separate variables. */
  arePublished?: true;
  /** The limits that the app has lowered itself. */
  own?: readonly LimitName[];
}

/** Limits that are amounts. */
export type LimitName = Exclude<keyof ResourceLimits, "arePublished" | "own">;

const MB = 1024 * 1024;
/** The share of a small machine's memory that one project may use at most. */
const MEMORY_SHARE = 0.75;

/**
 * For each limit: its variable, the variable for published apps, its name in an app's treadle.json,
 * and the smallest usable value.
 */
const SETTINGS = {
  memory: {
    variable: "TREADLE_MEMORY_MB",
    published: "TREADLE_APPS_MEMORY_MB",
    own: "memoryMB",
    unit: MB,
    least: 128,
    what: "megabytes",
  },
  processes: {
    variable: "TREADLE_PROCESSES",
    published: "TREADLE_APPS_PROCESSES",
    own: "processes",
    unit: 1,
    least: 32,
    what: "processes",
  },
  cpus: {
    variable: "TREADLE_CPUS",
    published: "TREADLE_APPS_CPUS",
    own: "cpus",
    unit: 1,
    least: 0.1,
    what: "cores",
  },
  openFiles: {
    variable: "TREADLE_OPEN_FILES",
    published: "TREADLE_APPS_OPEN_FILES",
    own: "openFiles",
    unit: 1,
    least: 256,
    what: "open files",
  },
  disk: {
    variable: "TREADLE_DISK_MB",
    published: "TREADLE_APPS_DISK_MB",
    own: "diskMB",
    unit: MB,
    least: 16,
    what: "megabytes",
  },
} as const satisfies Record<
  LimitName,
  { variable: string; published: string; own: string; unit: number; least: number; what: string }
>;

/** The limits of a project by default. */
export function defaultLimits(): ResourceLimits {
  return {
    memory: Math.min(2_048 * MB, Math.floor((totalmem() * MEMORY_SHARE) / MB) * MB),
    processes: 512,
    cpus: availableParallelism(),
    openFiles: 16_384,
    disk: 10_240 * MB,
  };
}

/** Where a limit is set: a variable, or a place in the app's own treadle.json. */
export function limitVariable(
  limit: LimitName,
  { arePublished, own }: Pick<ResourceLimits, "arePublished" | "own"> = {},
): string {
  const { variable, published, own: name } = SETTINGS[limit];
  if (own?.includes(limit)) return `“limits.${name}” in its treadle.json`;
  return arePublished ? published : variable;
}

/**
 * Reads the limits that an app sets itself in its treadle.json (`{ "memoryMB": 256 }`).
 * @throws Error with a message that names the mistake
 */
export function readOwnLimits(limits: unknown): Partial<Record<LimitName, number>> {
  if (limits === undefined) return {};
  if (typeof limits !== "object" || limits === null || Array.isArray(limits))
    throw new Error("treadle.json: “limits” has to be an object.");
  const names = Object.keys(SETTINGS) as LimitName[];
  const own: Partial<Record<LimitName, number>> = {};
  for (const [key, value] of Object.entries(limits as Record<string, unknown>)) {
    const name = names.find((one) => SETTINGS[one].own === key);
    if (!name)
      throw new Error(
        `treadle.json: there is no limit “${key.slice(0, 60)}”; there are ${names.map((one) => SETTINGS[one].own).join(", ")}.`,
      );
    const { unit, least, what } = SETTINGS[name];
    if (typeof value !== "number" || !Number.isFinite(value) || value < least)
      throw new Error(
        `treadle.json: “limits.${key}” has to be a number of ${what}, ${least} or more.`,
      );
    own[name] = name === "cpus" ? value : Math.floor(value * unit);
  }
  return own;
}

/** The limits, lowered to those that the app sets itself; it cannot raise them. */
export function lowered(
  limits: ResourceLimits,
  own: Partial<Record<LimitName, number>> = {},
): ResourceLimits {
  const lower = (Object.keys(own) as LimitName[]).filter((name) => own[name]! < limits[name]);
  if (lower.length === 0) return limits;
  return {
    ...limits,
    ...Object.fromEntries(lower.map((name) => [name, own[name]!])),
    own: lower,
  };
}

/**
 * Limits of a published app: from its own variables, else those of a project.
 * @throws WorkspaceError `sandbox` with a message that names the variable.
 */
export const readPublishedLimits = (env: Record<string, string | undefined>): ResourceLimits => ({
  ...readAmounts(env, readLimits(env), { arePublished: true }),
  arePublished: true,
});

/**
 * The limits set in the server's environment.
 * @throws WorkspaceError `sandbox` with a message that names the variable.
 */
export const readLimits = (env: Record<string, string | undefined>): ResourceLimits =>
  readAmounts(env, defaultLimits(), {});

function readAmounts(
  env: Record<string, string | undefined>,
  otherwise: ResourceLimits,
  whose: Pick<ResourceLimits, "arePublished">,
): ResourceLimits {
  const limits = { ...otherwise };
  for (const name of Object.keys(SETTINGS) as LimitName[]) {
    const { unit, least, what } = SETTINGS[name];
    const variable = limitVariable(name, whose);
    const text = env[variable]?.trim();
    if (!text) continue;
    const given = Number(text);
    if (!Number.isFinite(given) || given < least)
      throw new WorkspaceError(
        "sandbox",
        sentence("limit-invalid", { variable, text, unit: what, least }),
      );
    limits[name] = name === "cpus" ? given : Math.floor(given * unit);
  }
  return limits;
}

/** `2048 MB`, for people. */
export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`;
