import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { countProcesses, familyOf, MARK, marks, strangersOf, straysOf } from "./process-table.ts";

/** Delay between SIGTERM and SIGKILL. */
const GRACE_MS = 400;
/**
 * Time limit for killing a family. Processes that fork faster are left to the sandbox's process
 * limit.
 */
const KILL_MS = 5_000;
/** How long to wait for more output after a command's exit, from the last piece. */
const LAST_OUTPUT_MS = 100;

/**
 * Shell code that runs before the project's command, so that it cannot keep the guest from ending
 * it: it is killed first when memory runs out, and yields the processor to the guest (in a sandbox,
 * where nothing else runs).
 */
export const afterGuest = (alone: boolean): string =>
  `echo 500 2>/dev/null > /proc/self/oom_score_adj; exec${alone ? " nice -n 10" : ""}`;

/** Describes why no process could be started; the system error is only a code. */
function startFailure(error: NodeJS.ErrnoException): string {
  if (error.code === "EAGAIN")
    return "treadle: the project has as many processes and threads as it may have (TREADLE_PROCESSES), so the command did not start.";
  return error.message;
}

/**
 * Maximum number of processes left in the background: a server has only a few, and more would use
 * up the limit for the next command (A37).
 */
const LEFT_BEHIND = 32;

/**
 * A sandbox with more processes than this is stopped as a whole before it is read: they fork faster
 * than they can be listed.
 */
const CROWD = 128;

/**
 * Maximum number of rounds to find processes that were forked while others were killed; the
 * sandbox's limit handles a fork bomb.
 */
const KILL_ROUNDS = 50;

/**
 * Signals every member of a family, and repeats until no new one appears: a member may fork between
 * the listing and the signal. Dead processes stay in the table meanwhile, since nothing can be
 * reaped before this returns.
 */
function eachOf(family: () => number[], name: NodeJS.Signals): void {
  const done = new Set<number>();
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const fresh = family().filter((member) => !done.has(member));
    if (fresh.length === 0 && round > 0) return;
    for (const member of fresh) {
      done.add(member);
      signal(member, name);
    }
  }
}

/**
 * Kills a family that keeps forking: stops everything in the sandbox with one call, which cannot
 * race with a fork, and continues the others once the family is dead. Only if all visible processes
 * are the sandbox's, because -1 means all.
 * @returns whether the sandbox was that crowded; otherwise nothing was done
 */
async function endCrowd(family: () => number[]): Promise<boolean> {
  if (countProcesses() <= CROWD) return false;
  signal(EVERYBODY, "SIGSTOP");
  try {
    const members = family();
    if (members.length <= CROWD) return false;
    for (const member of members) signal(member, "SIGKILL");
    const deadline = performance.now() + KILL_MS;
    while (family().length > 0 && performance.now() < deadline) await sleep(5);
    return true;
  } finally {
    signal(EVERYBODY, "SIGCONT");
  }
}

/** The pid that `kill` uses for all processes except the first and the caller. */
const EVERYBODY = -1;

/** Sends a signal; does nothing if the process has exited meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}

export interface Spawned {
  id: string;
  child: ChildProcess;
}

export interface ProcessEvents {
  /** Returns false if the host is slow; `resume` is called once it has caught up. */
  onOutput(id: string, bytes: Buffer): boolean;
  onExit(id: string, code: number, signal?: string): void;
}

/** Commands started by the host in this sandbox. */
export function createProcesses(options: {
  root: string;
  /** The environment of a new process, with these additional variables. */
  env(more?: Record<string, string>): Record<string, string>;
  /** Whether all visible processes are the sandbox's. */
  alone: boolean;
  events: ProcessEvents;
}) {
  const running = new Map<string, Spawned>();

  /**
   * @param how.shell `sh` for scripts of package.json, `bash` for commands
   * @param how.openInput keeps stdin open: watchers (esbuild, Tailwind) exit when it closes, as if
   * their terminal had closed
   */
  function start(
    id: string,
    command: string,
    how: {
      env?: Record<string, string> | undefined;
      shell?: "bash" | "sh";
      openInput?: boolean | undefined;
    } = {},
  ): void {
    const { env, shell = "bash", openInput = false } = how;
    // The inner shell's output is a single pipe, which preserves the order of stdout and stderr.
    const child = spawn(
      "sh",
      ["-c", `${afterGuest(options.alone)} "$0" -c "$1" 2>&1`, shell, command],
      {
        cwd: options.root,
        env: { ...options.env(env), ...env, [MARK]: id },
        stdio: [openInput ? "pipe" : "ignore", "pipe", "ignore"],
        detached: true,
      },
    );
    running.set(id, { id, child });
    child.stdout!.on("data", (bytes: Buffer) => {
      if (!options.events.onOutput(id, bytes)) child.stdout!.pause();
    });
    child.on("error", (error) => {
      options.events.onOutput(id, Buffer.from(`${startFailure(error)}\n`));
      if (running.delete(id)) options.events.onExit(id, 127);
    });
    // `exit`, not `close`: a background process that keeps the pipe open must not delay the
    // command's end. Output that is already in the pipe is still read first.
    child.on("exit", (code, signal) => {
      const finish = async () => {
        const left = familyOf(child.pid, id).length;
        if (left > LEFT_BEHIND) {
          const words = `treadle: it ended and left ${left} processes behind, which were ended as well.\n`;
          options.events.onOutput(id, Buffer.from(words));
          await kill(id);
        }
        if (running.delete(id)) options.events.onExit(id, code ?? 128, signal ?? undefined);
      };
      if (child.stdout!.readableEnded) void finish();
      else {
        const timer = setTimeout(() => {
          // Paused because the host is slow: the data in the pipe is still the command's.
          if (child.stdout!.isPaused()) timer.refresh();
          else void finish();
        }, LAST_OUTPUT_MS);
        child.stdout!.on("data", () => timer.refresh());
        child.stdout!.once("end", () => {
          clearTimeout(timer);
          void finish();
        });
      }
    });
  }

  /**
   * Kills a command and everything it started, whatever they do about it. Resolves when none of them is left, or after
   * `KILL_MS`.
   * @param pid of a process that was started elsewhere
   */
  async function kill(id: string, pid = running.get(id)?.child.pid): Promise<void> {
    const family = () => [...familyOf(pid, id), ...(options.alone ? straysOf() : [])];
    if (options.alone && (await endCrowd(family))) return;
    const signalAll = (name: NodeJS.Signals) => {
      for (const member of family()) signal(member, name);
    };
    signalAll("SIGTERM");
    const deadline = performance.now() + GRACE_MS;
    while (performance.now() < deadline && family().length > 0) await sleep(20);
    while (family().length > 0 && performance.now() < deadline + KILL_MS) {
      // Each killed process makes room for another fork, so this would never end: they are stopped
      // first.
      if (options.alone && (await endCrowd(family))) return;
      eachOf(family, "SIGSTOP");
      signalAll("SIGKILL");
      await sleep(20);
    }
  }

  /**
   * Pids of everything that was started by `start`, and of the processes `others`, which other parts of the guest
   * started.
   */
  const started = (others: string[]) => [
    ...[...running.values()].flatMap(({ id, child }) => familyOf(child.pid, id)),
    ...others.flatMap((id) => familyOf(undefined, id)),
  ];

  return {
    start,
    kill,
    /** Kills everything at once with SIGKILL: for the guest's own exit. */
    killAll(terminals: string[]): void {
      eachOf(() => started(terminals), "SIGKILL");
    },
    /**
     * Ends everything except the guest and its parents; if other processes are visible, only those that the guest
     * started.
     * @returns whether none is left
     */
    async endAll(others: string[]): Promise<boolean> {
      const family = options.alone ? strangersOf : () => started(others);
      const deadline = performance.now() + KILL_MS;
      while (family().length > 0) {
        if (performance.now() > deadline) return false;
        if (options.alone) signal(EVERYBODY, "SIGKILL");
        eachOf(family, "SIGSTOP");
        eachOf(family, "SIGKILL");
        await sleep(5);
      }
      return true;
    },
    /**
     * Ends the processes left running by finished commands.
     * @param others ids of other running processes, which are left alone
     */
    async endLeftBehind(others: string[]): Promise<void> {
      const going = new Set([...running.keys(), ...others]);
      for (const id of marks()) if (!going.has(id)) await kill(id);
    },
    /**
     * Whether finished commands have left processes running.
     * @param others as for `endLeftBehind`
     */
    anyLeftBehind(others: string[]): boolean {
      const going = new Set([...running.keys(), ...others]);
      return [...marks()].some((id) => !going.has(id)) || (options.alone && straysOf().length > 0);
    },
    /** Resumes commands whose output was paused. */
    resume(): void {
      for (const { child } of running.values()) child.stdout?.resume();
    },
    list: () => [...running.values()],
    /** Pids of a command and all its descendants. */
    familyOf: (id: string) => familyOf(running.get(id)?.child.pid, id),
    /** Pids of each command's family, to find the owner of a port. */
    families: () =>
      [...running.values()].map(({ id, child }) => ({ id, pids: familyOf(child.pid, id) })),
  };
}

export type Processes = ReturnType<typeof createProcesses>;
