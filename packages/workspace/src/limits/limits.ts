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
}

/** Those that are amounts. */
export type LimitName = Exclude<keyof ResourceLimits, "arePublished">;

const MB = 1024 * 1024;
/** Of a small machine one project gets no more than this part of the memory. */
const MEMORY_SHARE = 0.75;

/** Each limit's variable, that of published apps, and the least that a project can live with. */
const SETTINGS = {
  memory: {
    variable: "TREADLE_MEMORY_MB",
    published: "TREADLE_APPS_MEMORY_MB",
    unit: MB,
    least: 128,
    what: "megabytes",
  },
  processes: {
    variable: "TREADLE_PROCESSES",
    published: "TREADLE_APPS_PROCESSES",
    unit: 1,
    least: 32,
    what: "processes",
  },
  cpus: {
    variable: "TREADLE_CPUS",
    published: "TREADLE_APPS_CPUS",
    unit: 1,
    least: 0.1,
    what: "cores",
  },
  openFiles: {
    variable: "TREADLE_OPEN_FILES",
    published: "TREADLE_APPS_OPEN_FILES",
    unit: 1,
    least: 256,
    what: "open files",
  },
  disk: {
    variable: "TREADLE_DISK_MB",
    published: "TREADLE_APPS_DISK_MB",
    unit: MB,
    least: 16,
    what: "megabytes",
  },
} as const satisfies Record<
  LimitName,
  { variable: string; published: string; unit: number; least: number; what: string }
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

/** The variable that sets a limit. */
export function limitVariable(
  limit: LimitName,
  { arePublished }: Pick<ResourceLimits, "arePublished"> = {},
): string {
  const { variable, published } = SETTINGS[limit];
  return arePublished ? published : variable;
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
