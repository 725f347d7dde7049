import { gitEnvironment } from "../checkpoints/git-environment.ts";
import { GIT_LATE, GIT_MS } from "../checkpoints/git-limit.ts";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import type { RunGit } from "../checkpoints/git-store.ts";
import type { AttachedContainer } from "./attached-container.ts";
import type { ContainerSettings } from "./container-config.ts";
import type { Engine } from "./engine.ts";
import { runOnce } from "./run-once.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Runs git, each time in a temporary container: the project read-only, the store writable, no
 * network.
 */
export function createGitContainer(
  engine: Engine,
  settings: {
    directory: string;
    gitDirectory: string;
    container: Omit<ContainerSettings, "command" | "directory" | "binds">;
    /** Time limit of one script in milliseconds; default `GIT_MS`. */
    ms?: number;
  },
): RunGit {
  const config = (script: string) => ({
    ...settings.container,
    binds: [
      { source: settings.directory, target: SANDBOX_PLACES.root },
      { source: settings.gitDirectory, target: "/run/git", writable: true },
    ],
    directory: SANDBOX_PLACES.root,
    env: gitEnvironment("/run/git", PATH),
    command: ["bash", "-c", script],
  });
  return async (script, input) => {
    const out: Buffer[] = [];
    let complaint = "";
    let started: AttachedContainer | undefined;
    let isLate = false;
    // Git would wait forever for a file that was replaced by a pipe (A72).
    const late = setTimeout(() => {
      isLate = true;
      void started?.remove();
    }, settings.ms ?? GIT_MS);
    const code = await runOnce(engine, config(script), {
      input,
      onOutput: (bytes) => void out.push(bytes),
      onStderr: (bytes) => (complaint = (complaint + bytes.toString()).slice(-2_000)),
      onStarted(container) {
        started = container;
        if (isLate) void container.remove();
      },
    }).finally(() => clearTimeout(late));
    return { code, output: Buffer.concat(out), complaint: isLate ? GIT_LATE : complaint };
  };
}
