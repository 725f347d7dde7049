import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Path in a data folder of the data of Treadle's own PostgreSQL server, and of the lock that it
 * holds.
 */
const DATA = "postgres/server/main";
const LOCK = "postgres/server/lock";
/** `flock`'s exit code if a server holds the lock. */
const IS_HELD = 75;
/** Maximum number of rounds: a process may start others just before it is stopped. */
const ROUNDS = 20;

/**
 * Copies the data of a data folder's own PostgreSQL in a consistent state. A running server is
 * paused meanwhile: the copy is in the state after a crash, which the server recovers from its log.
 * @param path of the data folder, with a trailing `/`, below `from` and `to`; empty: the folder
 * itself
 * @param signal stops the copying, and rejects with an `AbortError`
 * @returns the copied path; undefined if there is none
 */
export async function copyPostgres(
  path: string,
  { from, to, signal }: { from: string; to: string; signal: AbortSignal },
): Promise<string | undefined> {
  const [data, target] = [join(from, path, DATA), join(to, path, DATA)];
  if (!existsSync(data)) return undefined;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const copy = ["cp", "-a", "--reflink=auto", data, target];
  try {
    // A server that starts meanwhile waits for this lock. Without a fork, what is stopped is the copying itself.
    await run("flock", ["-n", "-F", "-E", String(IS_HELD), join(from, path, LOCK), ...copy], {
      signal,
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== IS_HELD) throw error;
    const goOn = holdStill(data);
    try {
      await run(copy[0]!, copy.slice(1), { signal });
    } finally {
      goOn();
    }
  }
  return path + DATA;
}

/**
 * Pauses all processes of the server.
 * @returns a function that resumes them
 */
function holdStill(data: string): () => void {
  const held = new Set<number>();
  const goOn = () => {
    for (const pid of held) sendSignal(pid, "SIGCONT");
    process.off("exit", goOn);
  };
  // Also where a second Ctrl-C ends this program before the copying has stopped.
  process.on("exit", goOn);
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = serverProcesses(data).filter((pid) => !held.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      held.add(pid);
      sendSignal(pid, "SIGSTOP");
    }
  }
  return goOn;
}

/**
 * Processes whose working folder is that of the data, as for all of a PostgreSQL server; the main
 * process first.
 */
function serverProcesses(data: string): number[] {
  const own = statSync(data);
  const found = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const { dev, ino } = statSync(`/proc/${pid}/cwd`);
        return dev === own.dev && ino === own.ino;
      } catch {
        return false;
      }
    });
  return found.toSorted(
    (a, b) => Number(found.includes(parentOf(a))) - Number(found.includes(parentOf(b))),
  );
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

/** Sends a signal to a process, unless it has exited meanwhile. */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
