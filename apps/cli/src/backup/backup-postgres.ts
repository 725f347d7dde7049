import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** In a data folder: the data of the PostgreSQL server that Treadle runs itself, and the lock that it holds meanwhile. */
const DATA = "postgres/server/main";
const LOCK = "postgres/server/lock";
/** What `flock` ends with if a server holds the lock. */
const IS_HELD = 75;
/** Of those that are stopped others may just have been started. */
const ROUNDS = 20;

/**
 * Copies the data of a data folder's own PostgreSQL as they stand at one moment. One that runs is held still meanwhile: what
 * is found then is what a server that was killed at that moment has left, and the next one puts it right from its log.
 * @param path of the data folder, with `/` at the end, below `from` and `to`; empty: that itself
 * @returns the path that was copied; undefined if there is none
 */
export async function copyPostgres(
  path: string,
  { from, to }: { from: string; to: string },
): Promise<string | undefined> {
  const [data, target] = [join(from, path, DATA), join(to, path, DATA)];
  if (!existsSync(data)) return undefined;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const copy = ["cp", "-a", "--reflink=auto", data, target];
  try {
    // A server that starts meanwhile waits for this lock.
    await run("flock", ["-n", "-E", String(IS_HELD), join(from, path, LOCK), ...copy]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== IS_HELD) throw error;
    const goOn = holdStill(data);
    try {
      await run(copy[0]!, copy.slice(1));
    } finally {
      goOn();
    }
  }
  return path + DATA;
}

/** Stops every process of the server with these data where it is. @returns what has them go on */
function holdStill(data: string): () => void {
  const held = new Set<number>();
  const goOn = () => {
    for (const pid of held) signal(pid, "SIGCONT");
    process.off("exit", goOn);
  };
  // If this program is killed meanwhile, no process remains.
  process.on("exit", goOn);
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = serverProcesses(data).filter((pid) => !held.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      held.add(pid);
      signal(pid, "SIGSTOP");
    }
  }
  return goOn;
}

/** Processes that work in the folder of the data, as all of a PostgreSQL server do; the one that starts the others first. */
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

/** One that has ended meanwhile is still enough. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
