import { availableParallelism, totalmem } from "node:os";
import { WorkspaceError } from "../types.ts";

/** What one project may take of the machine. */
export interface ResourceLimits {
  /** Bytes, of all its processes together where the machine can count that. */
  memory: number;
  /** Processes and threads. */
  processes: number;
  /** Cores, in parts of one as well. */
  cpus: number;
  /** Descriptors of one process. */
  openFiles: number;
  /** Bytes of its files, with its own dependencies, its checkpoints and its caches. */
  disk: number;
  /** They are those of a published app, which has variables of its own. */
  arePublished?: true;
  /** Those of them that the app has set itself, lower than it might have. */
  own?: readonly LimitName[];
}

/** Those that are amounts. */
export type LimitName = Exclude<keyof ResourceLimits, "arePublished" | "own">;

const MB = 1024 * 1024;
/** Of a small machine one project gets no more than this part of the memory. */
const MEMORY_SHARE = 0.75;

/** Each limit's variable, that of published apps, its name in an app's treadle.json, and the least that a project can live with. */
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

/** What a project may take where nobody says otherwise. */
export function defaultLimits(): ResourceLimits {
  return {
    memory: Math.min(2_048 * MB, Math.floor((totalmem() * MEMORY_SHARE) / MB) * MB),
    processes: 512,
    cpus: availableParallelism(),
    openFiles: 16_384,
    disk: 10_240 * MB,
  };
}

/** What sets a limit: a variable, or a place in the app's own treadle.json. */
export function limitVariable(
  limit: LimitName,
  { arePublished, own }: Pick<ResourceLimits, "arePublished" | "own"> = {},
): string {
  const { variable, published, own: name } = SETTINGS[limit];
  if (own?.includes(limit)) return `“limits.${name}” in its treadle.json`;
  return arePublished ? published : variable;
}

/**
 * The limits that an app sets itself, as its treadle.json says them (`{ "memoryMB": 256 }`).
 * @throws Error with a sentence that says what is wrong in it
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

/** The same limits, lowered to those that the app sets itself: it gets no more than the machine's owner allows. */
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
 * What a published app may take: as its own variables say, else as much as a project.
 * @throws WorkspaceError `sandbox` with a sentence that names the variable.
 */
export const readPublishedLimits = (env: Record<string, string | undefined>): ResourceLimits => ({
  ...readAmounts(env, readLimits(env), { arePublished: true }),
  arePublished: true,
});

/**
 * The limits as the server's environment sets them.
 * @throws WorkspaceError `sandbox` with a sentence that names the variable.
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
        `${variable} is “${text}”; it has to be a number of ${what}, ${least} or more`,
      );
    limits[name] = name === "cpus" ? given : Math.floor(given * unit);
  }
  return limits;
}

/** `2048 MB`, for people. */
export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`;
