import { spawn } from "node:child_process";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Time limit for one command, in milliseconds. */
const LONGEST_MS = 30 * 60_000;
/** Number of characters kept of each output stream, from its end. */
const TAIL = 64_000;

export interface Ended {
  code: number;
  output: string;
  complaint: string;
}

/**
 * Runs a program on this machine without a shell.
 * @returns the exit code, whatever it is, and the end of both output streams
 * @throws ApiFailure `program-missing`, `host-late`; an AbortError if `signal` was aborted
 */
export async function runProgram(
  program: string,
  words: readonly string[],
  options: {
    env: Record<string, string | undefined>;
    signal: AbortSignal;
    input?: Uint8Array;
    onOutput?: (text: string) => void;
  },
): Promise<Ended> {
  const { env, signal, input, onOutput } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // A separate process group, so that its children end with it.
    const child = spawn(program, words, { env, detached: true, stdio: "pipe" });
    let output = "";
    let complaint = "";
    let reason: Error | undefined;
    const end = (error: Error) => {
      reason ??= error;
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // It has already exited.
      }
    };
    const stop = () => end(new DOMException("Stopped by the person.", "AbortError"));
    const late = setTimeout(
      () =>
        end(new ApiFailure(504, "host-late", sentence("program-late", { program, minutes: 30 }))),
      LONGEST_MS,
    );
    signal.addEventListener("abort", stop);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-TAIL);
      onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-TAIL);
      onOutput?.(text);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
    const done = () => {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      done();
      reject(
        error.code === "ENOENT"
          ? new ApiFailure(
              503,
              "program-missing",
              sentence("program-missing", { program, host: "here" }),
            )
          : error,
      );
    });
    child.on("close", (code) => {
      done();
      if (reason) reject(reason);
      else resolve({ code: code ?? -1, output, complaint });
    });
  });
}
