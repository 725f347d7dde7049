import { checkCommand } from "../guest-workspace/commands.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS } from "../limits/progress.ts";
import type { Exit, RunOptions } from "../types.ts";
import type { TabAsking } from "./tab-asking.ts";
import type { TabCommand, TabCommands } from "./tab-commands.ts";
import type { TabServer } from "./tab-server.ts";

type Early = "timeout" | "quiet" | "aborted" | "adopted";

/**
 * Runs one command in the tab until it exits, exceeds a limit, is cancelled, or becomes the server.
 */
export async function runInTab(
  { asking, commands, server }: { asking: TabAsking; commands: TabCommands; server: TabServer },
  asked: Omit<TabCommand, "env">,
  options: RunOptions,
): Promise<Exit> {
  checkCommand(asked.command);
  asking.refuseStopped();
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const ending = new AbortController();
  const early = Promise.withResolvers<Early>();
  const running = commands.launch({ ...asked, env: options.env }, ending.signal, {
    outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
    quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
    onOver: early.resolve,
  });
  running.onOutput = (text) => options.onOutput?.(text);
  const before = new Set(server.ports);
  const stopLooking = server.onChange(() => {
    if (options.adopt && server.ports.some((port) => !before.has(port))) early.resolve("adopted");
  });
  const onAbort = () => early.resolve("aborted");
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const outcome = await Promise.race([running.ended, early.promise]);
    if (outcome === "adopted") {
      const state = await server.adopt(asked.command, running, before);
      if (state) return { kind: "adopted", server: state, ms: ms(), output: running.output() };
    }
    const output = running.output();
    if (typeof outcome === "object")
      return { kind: "exited", code: outcome.code, written: outcome.written, ms: ms(), output };
    running.cancel();
    ending.abort();
    return { kind: outcome === "adopted" ? "aborted" : outcome, ms: ms(), output };
  } finally {
    running.unlimit();
    stopLooking();
    options.signal?.removeEventListener("abort", onAbort);
  }
}
