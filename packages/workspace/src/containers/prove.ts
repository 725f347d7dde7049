import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { PROVE_ENV, SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { measureActivity } from "../limits/process-activity.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS, limitByProgress } from "../limits/progress.ts";
import type { Exit, RunOptions } from "../types.ts";
import type { CommandContainer, ContainerEngine, ProjectContainer } from "./types.ts";

const OUTPUT_KEPT = 64 * 1024;

/** Path in the container of the original project, from which the copy is made. */
const ORIGINAL = "/run/project";

/**
 * Runs a command in a separate container on a copy of the project at the same path; its writes are discarded with the
 * container. Containers cannot mount overlays, so the copy costs time in proportion to the project's size.
 */
export async function proveInContainer(
  engine: ContainerEngine,
  settings: {
    directory: string;
    /** The project's git repository, if it is not in `directory`. */
    repository: string | undefined;
    container: ProjectContainer;
  },
  command: string,
  options: RunOptions,
): Promise<Exit> {
  const config = {
    ...settings.container,
    task: "once" as const,
    binds: [
      { source: settings.directory, target: ORIGINAL },
      ...(settings.repository
        ? [{ source: settings.repository, target: `${SANDBOX_PLACES.root}/.git` }]
        : []),
    ],
    scratch: [SANDBOX_PLACES.root],
    directory: SANDBOX_PLACES.root,
    env: { ...PROVE_ENV, ...options.env },
    fill: `cp -a ${ORIGINAL}/. . 2>/dev/null`,
    command: ["bash", "-c", `exec bash -c "$1" 2>&1 < /dev/null`, "bash", command],
  };
  const started = performance.now();
  const captured = createBoundedText(OUTPUT_KEPT);
  const decoder = new TextDecoder();
  let why: "timeout" | "quiet" | "aborted" | undefined;
  let running: CommandContainer | undefined;
  const end = (reason: typeof why) => {
    why ??= reason;
    running?.remove();
  };
  const limit = limitByProgress({
    outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
    quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
    activity: async () => {
      const seen = running?.pids() ?? [];
      return seen.length > 0 ? measureActivity(seen) : undefined;
    },
    onOver: end,
  });
  const onAbort = () => end("aborted");
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const take = (bytes: Buffer) => {
    limit.printed();
    const text = decoder.decode(bytes, { stream: true });
    captured.add(text);
    options.onOutput?.(text);
  };
  try {
    const code = await engine.runOnce(config, {
      onOutput: take,
      onStderr: take,
      onStarted(container) {
        running = container;
        if (why) container.remove();
      },
    });
    const ms = Math.round(performance.now() - started);
    const output = captured.toString();
    return why ? { kind: why, ms, output } : { kind: "exited", code, ms, output };
  } finally {
    limit.end();
    options.signal?.removeEventListener("abort", onAbort);
  }
}
