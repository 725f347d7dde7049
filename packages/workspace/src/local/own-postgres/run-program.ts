import { spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Installation } from "../../host/installation.ts";
import { giveTo } from "../../host/ownership.ts";
import { sandboxUid } from "../../host/sandbox-uid.ts";
import { makeControlGroups, NO_CONTROL_GROUPS } from "../../host/control-groups.ts";
import type { ResourceLimits } from "../../limits/limits.ts";
import { allGone, firstChild, firstProcess } from "../first-process.ts";
import { LAUNCH_ENV, sandboxCommand } from "../sandbox-command.ts";
import type { Programs } from "../../postgres-types.ts";

/** Paths inside the sandbox. */
export const INSIDE = { data: "/var/lib/postgres", sockets: "/run/postgres" } as const;

/** Number of characters stored of the end of a program's output. */
const WORDS = 4_000;

/** The owner of the data: the same account for every data folder, so that one can be moved. */
export const dataOwner = (): number => sandboxUid("PostgreSQL of apps");

/**
 * Creates a folder owned by the sandbox's user only; takes over a restored or moved one with its
 * content.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return;
  const owner = { uid: dataOwner(), gid: dataOwner() };
  await giveTo(folder, owner);
  for (const one of readdirSync(folder, { withFileTypes: true }))
    if (one.isDirectory()) await giveTo(join(folder, one.name), owner);
}

export interface ProgramPlaces {
  /**
   * Absolute path of the folder that contains the data directory: the only folder of the host that
   * is writable, besides `sockets`.
   */
  folder: string;
  /** Absolute path of the folder for the server's socket. */
  sockets?: string;
  programs: Programs;
  installation: Installation;
  limits: ResourceLimits;
  controlGroups: boolean;
}

export interface RunningProgram {
  /** The end of its output so far. */
  output(): string;
  /** Signals the program itself. Does nothing if it has ended. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code once none of its processes is running. Never rejects. */
  ended: Promise<number>;
  /** Kills all of its processes. */
  kill(): void;
}

/**
 * Runs a shell script in a sandbox like a project's: no network, no capabilities, `/usr` read-only,
 * and only the folders for data and socket writable. `$bin` and `$data` are the folders of the
 * programs and the data.
 * @param script must consist of constants only
 */
export function runProgram(
  script: string,
  words: readonly string[],
  { folder, sockets, programs, installation, limits, controlGroups }: ProgramPlaces,
): RunningProgram {
  const groups = controlGroups ? makeControlGroups("postgres", limits) : NO_CONTROL_GROUPS;
  const etc = (name: string) => ({
    source: join(installation.guest, "etc", name),
    target: `/etc/${name}`,
  });
  // Programs look for libraries and shared files relative to themselves. The system's are already
  // visible.
  const home = dirname(programs.bin);
  const isSystems = programs.bin.startsWith("/usr/");
  const bin = isSystems ? programs.bin : "/opt/postgres/bin";
  const command = sandboxCommand({
    binds: [
      { source: folder, target: INSIDE.data, writable: true },
      ...(sockets === undefined
        ? []
        : [{ source: sockets, target: INSIDE.sockets, writable: true }]),
      ...(isSystems ? [] : [{ source: home, target: "/opt/postgres" }]),
      etc("passwd"),
      etc("group"),
      etc("hosts"),
    ],
    directory: INSIDE.data,
    env: { PATH: LAUNCH_ENV.PATH, LANG: "C.UTF-8", HOME: "/tmp", bin, data: INSIDE.data },
    uid: dataOwner(),
    cgroups: groups.folders,
    limits,
    command: ["bash", "--norc", "-c", script, "postgres", ...words],
  });
  const child: ChildProcess = spawn(command.file, command.args, {
    env: LAUNCH_ENV,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let first: number | undefined;
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-WORDS);
      // Output proves that the program has started.
      first ??= firstProcess(child.pid!);
    });
  const exit = new Promise<number>((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(127);
    });
    child.once("close", (code) => resolve(code ?? 137));
  });
  return {
    output: () => output,
    signal(name) {
      first ??= child.pid === undefined ? undefined : firstProcess(child.pid);
      const pid = first === undefined ? undefined : firstChild(first);
      try {
        if (pid !== undefined) process.kill(pid, name);
      } catch {
        // It has already ended.
      }
    },
    kill: () => void child.kill("SIGKILL"),
    ended: exit.then(async (code) => {
      await allGone(first);
      await groups.remove();
      return code;
    }),
  };
}

/** Gives a folder to the sandbox's user so that it can write to it. */
export function giveSockets(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, dataOwner(), dataOwner());
}
