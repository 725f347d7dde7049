import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Fault } from "./disk-session.test-support.ts";

/** Errors of a full, a failing and a read-only disk. */
export const DISK_ERRORS = ["ENOSPC", "EIO", "EROFS"] as const;
export type DiskError = (typeof DISK_ERRORS)[number];

const SOURCE = fileURLToPath(new URL("./faulty-disk.test-support.c", import.meta.url));
const SESSION = fileURLToPath(new URL("./disk-session.test-support.ts", import.meta.url));
/** More calls than any session makes, for a permanent failure. */
export const ALWAYS = 1_000_000;

export interface Tried {
  fault: string;
  problems: string[];
  calls: number;
}

export const faultOf = (first: number, count: number, error: DiskError): Fault => ({
  first,
  count,
  errno: constants.errno[error],
});

/** Why disks cannot be made to fail here; undefined if they can. */
export const noFaults =
  process.platform !== "linux"
    ? "not on Linux"
    : spawnSync("cc", ["--version"]).status !== 0
      ? "there is no C compiler"
      : undefined;

/** Compiles the fault injector into a temporary folder. */
export function openFaultyDisk(): {
  try(faults: readonly Fault[]): Promise<Tried[]>;
  remove(): void;
} {
  // A folder in memory, where syncing is fast: the final state of the disk does not matter.
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "treadle-faults-"),
  );
  const library = join(folder, "faulty-disk.so");
  const compiled = spawnSync("cc", [
    "-shared",
    "-fPIC",
    "-O1",
    "-w",
    "-o",
    library,
    SOURCE,
    "-ldl",
  ]);
  if (compiled.status !== 0) throw new Error(compiled.stderr.toString());
  return {
    async try(faults) {
      const words = faults.map(({ first, count, errno }) => `${first}:${count}:${errno}`);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--conditions=treadle-source", "--no-warnings", SESSION, ...words],
        {
          env: { ...process.env, LD_PRELOAD: library, FAULTS_UNDER: join(folder, "data-") },
          maxBuffer: 1e8,
        },
      ).catch((error: { stdout?: string; message: string }) => ({
        stdout: `${error.stdout ?? ""}${JSON.stringify({ fault: "the process", problems: [error.message], calls: 0 })}\n`,
      }));
      return stdout
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Tried);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
