import { spawn } from "node:child_process";

/** Of what tar complains about. */
const WORDS_KEPT = 2_000;

/**
 * Runs the system's tar to its end.
 * @param to a file that takes what it prints
 * @param ok its exit statuses that are no failure
 * @throws Error with its own last words
 */
export async function runTar(
  args: string[],
  { to, ok }: { to?: number; ok: readonly number[] },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn("tar", args, { stdio: ["ignore", to ?? "ignore", "pipe"] });
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
  await promise;
}
