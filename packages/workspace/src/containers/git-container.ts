import { gitEnvironment } from "../checkpoints/git-environment.ts";
import { GIT_LATE, GIT_MS } from "../checkpoints/git-limit.ts";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import type { RunGit } from "../checkpoints/git-store.ts";
import type {
  CommandContainer,
  ContainerBind,
  ContainerEngine,
  ProjectContainer,
} from "./types.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** What git sees: the project, read-only, and the store. */
export const storeBinds = (settings: {
  directory: string;
  gitDirectory: string;
}): ContainerBind[] => [
  { source: settings.directory, target: SANDBOX_PLACES.root },
  { source: settings.gitDirectory, target: "/run/git", writable: true },
];

/**
 * Runs git in a container without a guest: the project read-only, the store writable, no
 * network.
 */
export function createGitContainer(
  engine: ContainerEngine,
  settings: {
    directory: string;
    gitDirectory: string;
    container: ProjectContainer;
    /** Time limit of one script in milliseconds; default `GIT_MS`. */
    ms?: number;
  },
): RunGit {
  const config = (script: string) => ({
    ...settings.container,
    task: "store" as const,
    binds: storeBinds(settings),
    directory: SANDBOX_PLACES.root,
    env: gitEnvironment("/run/git", PATH),
    command: ["bash", "-c", script],
  });
  return async (script, input) => {
    const out: Buffer[] = [];
    let complaint = "";
    let started: CommandContainer | undefined;
    let isLate = false;
    // Git would wait forever for a file that was replaced by a pipe (A72).
    const late = setTimeout(() => {
      isLate = true;
      started?.remove();
    }, settings.ms ?? GIT_MS);
    const code = await engine
      .runOnce(config(script), {
        input,
        onOutput: (bytes) => void out.push(bytes),
        onStderr: (bytes) => (complaint = (complaint + bytes.toString()).slice(-2_000)),
        onStarted(container) {
          started = container;
          if (isLate) container.remove();
        },
      })
      .finally(() => clearTimeout(late));
    return { code, output: Buffer.concat(out), complaint: isLate ? GIT_LATE : complaint };
  };
}
