import { namesIn } from "@treadle/common/names-in";
import { sentence } from "@treadle/protocol/sentences";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Programs } from "../../postgres-types.ts";
import { WorkspaceError } from "../../types.ts";
import { packageOfMajor, DEFAULT_MAJOR, OLDEST_MAJOR } from "./packages.ts";

const run = promisify(execFile);

/** Where Debian and others install the programs, with a folder for each major version. */
const SYSTEM_FOLDERS = ["/usr/lib/postgresql", "/opt/postgresql"];
const VERSION_MS = 10_000;

/** Whether a folder holds the programs that a server needs. */
export const holdsPrograms = (bin: string): boolean =>
  existsSync(join(bin, "postgres")) && existsSync(join(bin, "initdb"));

/**
 * Reads the version of the programs in a folder.
 * @throws WorkspaceError `failed` if the program cannot be run, or is not PostgreSQL's
 */
export async function readProgramVersion(bin: string): Promise<{ major: number; version: string }> {
  const { stdout } = await run(join(bin, "postgres"), ["--version"], { timeout: VERSION_MS }).catch(
    (error: Error) => {
      throw new WorkspaceError(
        "failed",
        sentence("postgres-program-failed", { program: join(bin, "postgres"), why: error.message }),
      );
    },
  );
  const [, version = ""] = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(stdout) ?? [];
  if (version === "")
    throw new WorkspaceError(
      "failed",
      sentence("postgres-program-other", { program: join(bin, "postgres") }),
    );
  return { major: Number.parseInt(version, 10), version };
}

/**
 * The programs on this machine, preferred first: only those of `TREADLE_POSTGRES_BIN` if it is set,
 * else the system's, newest first.
 * @throws WorkspaceError if the setting names a folder without them, or with a version before 14
 */
export async function programsOfMachine(
  env: Record<string, string | undefined>,
  folders: readonly string[] = SYSTEM_FOLDERS,
): Promise<Programs[]> {
  const set = env.TREADLE_POSTGRES_BIN?.trim();
  if (set) {
    if (!holdsPrograms(set))
      throw new WorkspaceError("failed", sentence("postgres-setting-empty", { folder: set }));
    const bin = realpathSync(set);
    const found = await readProgramVersion(bin);
    if (found.major < OLDEST_MAJOR)
      throw new WorkspaceError(
        "failed",
        sentence("postgres-setting-old", { version: found.version, least: OLDEST_MAJOR }),
      );
    return [{ ...found, bin, from: "setting" }];
  }
  const bins = folders
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => /^\d+$/.test(name) && Number(name) >= OLDEST_MAJOR)
        .map((name) => ({ major: Number(name), bin: join(folder, name, "bin") })),
    )
    .filter(({ bin }) => holdsPrograms(bin))
    .toSorted((a, b) => b.major - a.major);
  const found: Programs[] = [];
  for (const { bin } of bins)
    // A partially removed package counts as missing.
    await readProgramVersion(bin).then(
      (version) => found.push({ ...version, bin, from: "system" }),
      () => undefined,
    );
  return found;
}

/** The programs that a server's data need: some on this machine, or a major version to fetch. */
export type Choice = Programs | { fetch: number };

/**
 * Chooses the programs for data. Data can only be opened by programs of the same major version.
 * @param made the major version that created the data; undefined: there are none yet
 * @throws WorkspaceError that says what to do if there are no suitable programs
 */
export function choosePrograms(
  there: readonly Programs[],
  made: number | undefined,
  canFetch: (major: number) => boolean = (major) => packageOfMajor(major) !== undefined,
): Choice {
  const fitting = there.find(({ major }) => made === undefined || major === made);
  if (fitting) return fitting;
  const [set] = there;
  if (made !== undefined && set?.from === "setting")
    throw new WorkspaceError(
      "failed",
      sentence("postgres-setting-differs", { made, version: set.version }),
    );
  const major = made ?? DEFAULT_MAJOR;
  if (canFetch(major)) return { fetch: major };
  throw new WorkspaceError(
    "failed",
    made === undefined
      ? sentence("postgres-missing")
      : sentence("postgres-version-missing", { made }),
  );
}

/** The major version that created a data directory; undefined if there is none. */
export function majorOfData(data: string): number | undefined {
  try {
    const major = Number.parseInt(readFileSync(join(data, "PG_VERSION"), "utf8"), 10);
    return Number.isNaN(major) ? undefined : major;
  } catch {
    return undefined;
  }
}
