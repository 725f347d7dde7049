import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Ensures that only one process synchronises a folder.
 * @param own Treadle's folder in it
 * @returns a function that releases the lock
 * @throws Error with a message if another process holds it
 */
export function lockFolder(own: string): () => void {
  const file = join(own, "lock");
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || tries > 1) throw error;
      const other = Number(readFileSync(file, "utf8"));
      if (isRunning(other))
        throw new Error(`Process ${other} already syncs this folder. End it first.`, { cause: error }); // prettier-ignore
      // The process that held the lock was killed.
      rmSync(file, { force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
