import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/** Number of characters stored of tar's error output. */
const WORDS_KEPT = 2_000;

/**
 * Runs the system's tar.
 * @param to a file that receives its output
 * @param ok exit statuses that count as success
 * @param signal ends it
 * @returns its input, and a promise of its end, which rejects with the end of its error output
 */
export function runTar(
  args: string[],
  { to, ok, signal }: { to?: number; ok: readonly number[]; signal?: AbortSignal | undefined },
): { input: Writable; ended: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn("tar", args, { stdio: ["pipe", to ?? "ignore", "pipe"], signal });
  let words = "";
  child.stderr!.on("data", (bytes: Buffer) => (words = (words + bytes).slice(-WORDS_KEPT)));
  child.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      error.code === "ENOENT"
        ? new Error("there is no tar on this machine; install it, then try again")
        : error,
    ),
  );
  child.once("close", (code) =>
    code !== null && ok.includes(code)
      ? resolve()
      : reject(new Error(words.trim() || `tar ended with ${code}`)),
  );
  return { input: child.stdin!, ended: promise };
}
