import { gitEnvironment } from "../checkpoints/git-environment.ts";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import type { RunGit } from "../checkpoints/git-store.ts";
import { containerConfig, type ContainerSettings } from "./container-config.ts";
import type { Engine } from "./engine.ts";
import { runOnce } from "./run-once.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Git, each time in a short-lived container of its own: the project read-only, the store writable, no network. */
export function createGitContainer(
  engine: Engine,
  settings: {
    directory: string;
    gitDirectory: string;
    container: Omit<ContainerSettings, "command" | "directory" | "binds">;
  },
): RunGit {
  const config = (script: string) =>
    containerConfig({
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
    const code = await runOnce(engine, config(script), {
      input,
      onOutput: (bytes) => void out.push(bytes),
      onStderr: (bytes) => (complaint = (complaint + bytes.toString()).slice(-2_000)),
    });
    return { code, output: Buffer.concat(out), complaint };
  };
}
