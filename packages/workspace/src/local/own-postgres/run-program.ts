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

/** Places inside the sandbox. */
export const INSIDE = { data: "/var/lib/postgres", sockets: "/run/postgres" } as const;

/** Maximum characters stored of the end of a program's output. */
const WORDS = 4_000;

/** Whose the data are: the same account in every data folder, so that one can be moved. */
export const dataOwner = (): number => sandboxUid("PostgreSQL of apps");

/** Makes a folder for the sandbox's user alone; one that was restored or moved becomes theirs, with all in it. */
export async function makeOwnFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return;
  const owner = { uid: dataOwner(), gid: dataOwner() };
  await giveTo(folder, owner);
  for (const one of readdirSync(folder, { withFileTypes: true }))
    if (one.isDirectory()) await giveTo(join(folder, one.name), owner);
}

export interface ProgramPlaces {
  /** Absolute: the folder that holds the data directory. It is written to, and nothing else of the host. */
  folder: string;
  /** Absolute: the folder that the server's socket is made in. */
  sockets?: string;
  programs: Programs;
  installation: Installation;
  limits: ResourceLimits;
  controlGroups: boolean;
}

export interface RunningProgram {
  /** Everything that it wrote so far, the last of it. */
  output(): string;
  /** Sends a signal to the program itself. Does nothing if it has ended. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code once nothing of it runs any more. Never rejects. */
  ended: Promise<number>;
  /** Ends all of it at once. */
  kill(): void;
}

/**
 * Runs a shell script in a sandbox as projects have them: no network, no capabilities, `/usr` to read, and of the host's
 * files only the data and the socket's folder to write. `$bin` and `$data` stand for the programs and the data.
 * @param script is never made of anything but constants
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
  // Programs find their libraries and shared files beside themselves. The system's are there already.
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
        // It has ended.
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

/** Gives a folder that the sandbox's user has to write in to them. */
export function giveSockets(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, dataOwner(), dataOwner());
}
