import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ASK_EVERY_MS = 250;
/** Milliseconds between updates of a held lock's time. */
const TOUCH_EVERY_MS = 5_000;
/** Milliseconds without an update after which a lock is abandoned, even if its process id is in use again. */
const STALE_MS = 30_000;

/**
 * Runs a function that two servers with the same cache must not run at once. The lock file contains
 * the pid of its holder; the lock of a dead process is taken over.
 * @param act is not called if `needless` returns true once the lock is held, because another
 * process has done the work
 */
export async function withLock(
  file: string,
  needless: () => boolean,
  act: () => Promise<void>,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) {
    if (isHeld(file)) await sleep(ASK_EVERY_MS);
    else rmSync(file, { force: true });
  }
  const touching = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // Taken over or swept; the result is still put in place atomically.
    }
  }, TOUCH_EVERY_MS).unref();
  try {
    if (!needless()) await act();
  } finally {
    clearInterval(touching);
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isHeld(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return false;
    const pid = Number(readFileSync(file, "utf8"));
    // Created but not written yet: its owner is alive.
    if (!(pid > 0)) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
