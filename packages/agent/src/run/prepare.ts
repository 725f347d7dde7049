import type { UIMessage } from "ai";
import { withDialect } from "../dialects/with-dialect.ts";
import type { RunPorts, RunRequest } from "../types.ts";
import { createBestRevision } from "./best-revision.ts";
import { createCallGuard } from "./call-guard.ts";
import { withChanges } from "./data-parts.ts";
import { keepCheckpoint } from "./keep-checkpoint.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { settleHistory } from "./settle-history.ts";
import type { Run } from "./state.ts";
import { noUsage } from "./usage.ts";

/** Makes the run's state and says that it starts. Does nothing that can fail: that is left to `prepare`. */
export function beginRun(request: RunRequest, ports: RunPorts, signal: AbortSignal): Run {
  const dialect = request.dialect ?? ports.model.dialect;
  const message = withChanges(request.message, request.changes);
  const reply: UIMessage = { id: `${request.run}.reply`, role: "assistant", parts: [] };
  let ended = false;
  const run: Run = {
    request,
    ports,
    limits: { ...DEFAULT_LIMITS, ...request.limits },
    dialect,
    languageModel: withDialect(ports.model.languageModel, dialect),
    signal,
    startedAt: ports.clock.now(),
    emit(event) {
      if (ended) return;
      ended = event.type === "run-end";
      ports.log.append(event);
    },
    messages: [...settleHistory(request.history), message, reply],
    reply,
    sendsTemperature: ports.model.takesTemperature,
    steps: 0,
    overflows: 0,
    calls: 0,
    usage: noUsage(),
    seen: new Map(),
    touched: new Set(),
    revision: "",
    changed: false,
    commanded: false,
    guard: createCallGuard(),
    best: createBestRevision(),
    repairs: 0,
    sameFailures: 0,
    unsaved: [],
  };
  run.emit({
    type: "run-start",
    run: request.run,
    message: request.message.id,
    model: ports.model.id,
    dialect,
  });
  return run;
}

/** Keeps what the run starts from, so that it can be gone back to. */
export async function prepare(run: Run): Promise<void> {
  const { request, ports } = run;
  const message = run.messages.at(-2);
  if (request.changes.length > 0 && message) await ports.save(message);
  const before = await keepCheckpoint(run, "Before this turn");
  if (request.lastVerdict === "verified" && before)
    run.best.offerVerified(before.checkpoint, before.revision);
}
