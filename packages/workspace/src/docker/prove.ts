import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { PROVE_ENV, SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { measureActivity } from "../limits/process-activity.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS, limitByProgress } from "../limits/progress.ts";
import type { Exit, RunOptions } from "../types.ts";
import type { ContainerSettings } from "./container-config.ts";
import { pidsOfContainer } from "./container-pids.ts";
import type { Engine } from "./engine.ts";
import { runOnce } from "./run-once.ts";

const OUTPUT_KEPT = 64 * 1024;

/** Path in the container of the original project, from which the copy is made. */
const ORIGINAL = "/run/project";

/**
 * Runs a command in a separate container on a copy of the project at the same path; its writes are discarded with the
 * container. Containers cannot mount overlays, so the copy costs time in proportion to the project's size.
 */
export async function proveInContainer(
  engine: Engine,
  settings: {
    directory: string;
    /** The project's git repository, if it is not in `directory`. */
    repository: string | undefined;
    container: Omit<ContainerSettings, "command" | "directory" | "binds">;
  },
  command: string,
  options: RunOptions,
): Promise<Exit> {
  const config: ContainerSettings = {
    ...settings.container,
    binds: [
      { source: settings.directory, target: ORIGINAL },
      ...(settings.repository
        ? [{ source: settings.repository, target: `${SANDBOX_PLACES.root}/.git` }]
        : []),
    ],
    scratch: [SANDBOX_PLACES.root],
    directory: SANDBOX_PLACES.root,
    env: { ...PROVE_ENV, ...options.env },
    command: [
      "bash",
      "-c",
      `cp -a ${ORIGINAL}/. . 2>/dev/null; exec bash -c "$1" 2>&1 < /dev/null`,
      "bash",
      command,
    ],
  };
  const started = performance.now();
  const captured = createBoundedText(OUTPUT_KEPT);
  const decoder = new TextDecoder();
  let why: "timeout" | "quiet" | "aborted" | undefined;
  let kill: (() => void) | undefined;
  const end = (reason: typeof why) => {
    why ??= reason;
    kill?.();
  };
  let pids: (() => number[]) | undefined;
  const limit = limitByProgress({
    outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
    quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
    activity: async () => {
      const seen = pids?.() ?? [];
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
    const code = await runOnce(engine, config, {
      onOutput: take,
      onStderr: take,
      onStarted(container) {
        kill = () => void container.remove();
        if (why) kill();
        void pidsOfContainer(engine, container.id).then((found) => (pids = found));
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
