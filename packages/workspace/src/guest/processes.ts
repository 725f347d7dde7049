import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { countProcesses, familyOf, MARK, marks, strangersOf, straysOf } from "./process-table.ts";

/** Between the polite signal and the other one. */
const GRACE_MS = 400;
/** What forks faster than it can be ended is left to the sandbox's own limit of processes. */
const KILL_MS = 5_000;
/** How long output may still come after a command's own end, from its last piece. */
const LAST_OUTPUT_MS = 100;

/**
 * Words of a shell before what the project runs, so that it cannot keep the guest from ending it: where memory runs out
 * it is ended before the guest, and where both want the processor (in a sandbox, where there is nobody else) the guest
 * is first.
 */
export const afterGuest = (alone: boolean): string =>
  `echo 500 2>/dev/null > /proc/self/oom_score_adj; exec${alone ? " nice -n 10" : ""}`;

/** Why no process could be started, in words; the system's own say a code alone. */
function startFailure(error: NodeJS.ErrnoException): string {
  if (error.code === "EAGAIN")
    return "treadle: the project has as many processes and threads as it may have (TREADLE_PROCESSES), so the command did not start.";
  return error.message;
}

/** A server in the background is a few processes; more than this would take the next command's place (A37). */
const LEFT_BEHIND = 32;

/** A sandbox with more processes than this is looked at with all of them stopped: they fork faster than they are read. */
const CROWD = 128;

/** Looks for who was forked while the others were killed; a fork bomb is the sandbox's business. */
const KILL_ROUNDS = 50;

/**
 * Sends a signal to each of a family, and looks again until nobody new is there: a member may fork between the look and
 * the signal. The dead stay in the table meanwhile, since nobody can be reaped before this returns.
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
 * Ends a family that forks: everybody in the sandbox is stopped by one call, which no fork comes between, and goes on when
 * the family is gone. Only where all that can be seen is the sandbox's: -1 is everybody.
 * @returns whether it was as large as that; otherwise nothing was done
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

/** As `kill` has it: everybody but the first process and who asks. */
const EVERYBODY = -1;

/** Who is gone meanwhile needs no signal. */
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
  /** Returns false when the host is slow; `resume` is called when it is not any more. */
  onOutput(id: string, bytes: Buffer): boolean;
  onExit(id: string, code: number, signal?: string): void;
}

/** Commands that the host started in here. */
export function createProcesses(options: {
  root: string;
  /** The environment of a process that is started, where this much is set for it besides. */
  env(more?: Record<string, string>): Record<string, string>;
  /** Whether every process that can be seen is the sandbox's. */
  alone: boolean;
  events: ProcessEvents;
}) {
  const running = new Map<string, Spawned>();

  /**
   * @param how.shell scripts of package.json are written for `sh`, commands for `bash`
   * @param how.openInput what waits for words is not told that none will come: watchers (esbuild, Tailwind) take that for
   *   the end of the terminal that they were started in, and end
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
    // The inner shell's output is one pipe, so that what was written to stdout and stderr keeps its order.
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
    // `exit`, not `close`: a background process that keeps the pipe open must not hold up the command's end. What is in
    // the pipe by then is still read first.
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
          // Held back because the host is slow: what is in the pipe is still the command's.
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
   * Ends a command and everything it started, whatever they do about it. Resolves when none of them is left.
   * @param pid of what was started elsewhere
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
      // Who is killed makes room for who forks, so that they would go on for ever: they are stopped first.
      if (options.alone && (await endCrowd(family))) return;
      eachOf(family, "SIGSTOP");
      signalAll("SIGKILL");
      await sleep(20);
    }
  }

  /** Pids of all that was started in here, with those that were started elsewhere under these ids. */
  const started = (others: string[]) => [
    ...[...running.values()].flatMap(({ id, child }) => familyOf(child.pid, id)),
    ...others.flatMap((id) => familyOf(undefined, id)),
  ];

  return {
    start,
    kill,
    /** Ends all of it at once, without a polite signal first: for the guest's own end. */
    killAll(terminals: string[]): void {
      eachOf(() => started(terminals), "SIGKILL");
    },
    /**
     * Ends everything but the guest and what it was started by; where others can be seen, only what was started in here.
     * @returns whether nobody is left
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
    /** Ends what commands that are over have left running. @param others ids of what else goes on */
    async endLeftBehind(others: string[]): Promise<void> {
      const going = new Set([...running.keys(), ...others]);
      for (const id of marks()) if (!going.has(id)) await kill(id);
    },
    /** Whether commands that are over have left something running. @param others as of `endLeftBehind` */
    anyLeftBehind(others: string[]): boolean {
      const going = new Set([...running.keys(), ...others]);
      return [...marks()].some((id) => !going.has(id)) || (options.alone && straysOf().length > 0);
    },
    /** Lets a command whose output was held back go on. */
    resume(): void {
      for (const { child } of running.values()) child.stdout?.resume();
    },
    list: () => [...running.values()],
    /** Pids of a command and all that it started. */
    familyOf: (id: string) => familyOf(running.get(id)?.child.pid, id),
    /** Pids of each command's family, for finding out whose port it is. */
    families: () =>
      [...running.values()].map(({ id, child }) => ({ id, pids: familyOf(child.pid, id) })),
  };
}

export type Processes = ReturnType<typeof createProcesses>;
