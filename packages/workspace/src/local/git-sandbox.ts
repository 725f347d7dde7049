import { spawn } from "node:child_process";
import { gitEnvironment } from "../checkpoints/git-environment.ts";
import { GIT_LATE, GIT_MS } from "../checkpoints/git-limit.ts";
import type { RunGit } from "../checkpoints/git-store.ts";
import { LAUNCH_ENV, sandboxCommand } from "./sandbox-command.ts";

/**
 * Runs git, each time in a temporary sandbox: the project read-only, the store writable, no
 * network.
 */
export function createGitSandbox(options: {
  directory: string;
  gitDirectory: string;
  uid: number;
  plain: boolean;
  /** Time limit of one script in milliseconds; default `GIT_MS`. */
  ms?: number;
}): RunGit {
  const { directory, gitDirectory } = options;
  return (script, input) => {
    const env = gitEnvironment(options.plain ? gitDirectory : "/run/git", LAUNCH_ENV.PATH);
    const command = options.plain
      ? { file: "bash", args: ["-c", script], cwd: directory, env }
      : {
          ...sandboxCommand({
            binds: [
              { source: directory, target: "/home/project" },
              { source: gitDirectory, target: "/run/git", writable: true },
            ],
            directory: "/home/project",
            env,
            uid: options.uid,
            command: ["bash", "-c", script],
          }),
          cwd: "/",
          env: LAUNCH_ENV,
        };
    return new Promise((resolve) => {
      const child = spawn(command.file, command.args, { cwd: command.cwd, env: command.env });
      const out: Buffer[] = [];
      let complaint = "";
      // Git would wait forever for a file that was replaced by a pipe (A72).
      const late = setTimeout(() => {
        complaint = GIT_LATE;
        child.kill("SIGKILL");
        // Without a sandbox that ends with git, the call would wait for processes that git started.
        child.stdout.destroy();
        child.stderr.destroy();
      }, options.ms ?? GIT_MS);
      child.once("close", () => clearTimeout(late));
      child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
      child.stderr.on("data", (bytes: Buffer) => (complaint = (complaint + bytes).slice(-2_000)));
      child.on("error", (error) => resolve(ended(127, `git: ${error.message}`)));
      child.on("close", (code) => resolve(ended(code ?? 137, complaint)));
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
      const ended = (code: number, words: string) => ({
        code,
        output: Buffer.concat(out),
        complaint: words,
      });
    });
  };
}
