import { posix } from "node:path";
import type { AttemptResult, CheckReport, LogEvent } from "@treadle/protocol";
import { addUsage, NO_USAGE } from "@treadle/protocol/fold";
import type { Store } from "@treadle/store";
import { wholeLog } from "@treadle/store";

/**
 * The result of an attempt from a log number on, over all its runs; undefined if none has ended.
 */
export async function attemptResult(
  store: Store,
  project: string,
  after: number,
): Promise<AttemptResult | undefined> {
  await store.log.settled();
  let end: Extract<LogEvent, { type: "run-end" }> | undefined;
  let checks: CheckReport[] | undefined;
  const sum = { ms: 0, steps: 0, lines: { added: 0, removed: 0 } };
  let usage = NO_USAGE;
  const files = new Set<string>();
  const paths = new Map<string, string>();
  for await (const { event } of wholeLog(store, project, after)) {
    if (event.type === "files")
      for (const { path, by } of event.changes) if (by === "model") files.add(path);
    if (event.type === "evidence") checks = event.evidence.checks;
    // Paths of calls count as well, since the watcher may report a file late.
    if (event.type === "call-input" && typeof event.input.path === "string")
      paths.set(event.call, event.input.path);
    if (event.type === "call-end" && event.lines) {
      const path = paths.get(event.call);
      if (path !== undefined) files.add(posix.normalize(path));
      sum.lines.added += event.lines.added;
      sum.lines.removed += event.lines.removed;
    }
    if (event.type !== "run-end") continue;
    end = event;
    sum.ms += event.ms;
    sum.steps += event.steps;
    usage = addUsage(usage, event.usage);
  }
  if (!end) return undefined;
  const { outcome, verdict, summary } = end;
  const held = checks?.filter(({ state }) => state === "held").length ?? 0;
  return {
    outcome,
    ...(verdict ? { verdict } : {}),
    summary,
    checks: checks && checks.length > 0 ? { held, all: checks.length } : undefined,
    usage,
    files: files.size,
    ...sum,
  };
}
