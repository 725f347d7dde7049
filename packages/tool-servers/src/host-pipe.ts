import { spawn } from "node:child_process";
import { homedir } from "node:os";
import type { McpPipe, McpServerConfig } from "@treadle/agent";
import { PROGRAM_ENV } from "./program-env.ts";

/**
 * The only variables of this server's environment that a trusted program gets: no model key, no
 * token.
 */
const PASSED = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "SystemRoot"];

/** Delay between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 1_000;

/** Starts a program that the person trusts, on this machine itself. */
export function hostPipe(
  config: McpServerConfig & { type: "stdio" },
  env: Record<string, string | undefined>,
): McpPipe {
  const clean = Object.fromEntries(
    PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const child = spawn(config.command, config.args, {
    cwd: homedir(),
    env: { ...clean, ...PROGRAM_ENV, ...config.env },
    stdio: ["pipe", "pipe", "pipe"],
    // A separate process group, so that its children end with it.
    detached: true,
  });
  let errors: (text: string) => void = () => undefined;
  const ended = new Promise<{ code: number; signal?: string }>((resolve) => {
    child.on("exit", (code, signal) => resolve({ code: code ?? 128, signal: signal ?? undefined }));
    child.on("error", (error) => {
      errors(`${error.message}\n`);
      resolve({ code: 127 });
    });
  });
  child.stdin.on("error", () => undefined);
  const signalAll = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // All of it has already exited.
    }
  };
  return {
    write: (data) => void child.stdin.write(data),
    onData: (listener) => void child.stdout.on("data", listener),
    onErrors(listener) {
      errors = listener;
      child.stderr.setEncoding("utf8").on("data", listener);
    },
    ended,
    async kill() {
      signalAll("SIGTERM");
      const force = setTimeout(() => signalAll("SIGKILL"), GRACE_MS);
      await ended;
      clearTimeout(force);
      signalAll("SIGKILL");
    },
  };
}
