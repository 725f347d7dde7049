import type { Evidence, ServerState } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import type { ProjectContext } from "../project-context/project-context.ts";

type Known = Pick<ProjectContext, "id" | "view" | "append" | "parts">;

/**
 * Withdraws a verdict: a later fault of the current revision becomes new evidence, stored with the project. Does
 * nothing if the evidence is the same.
 */
export function takeBackVerdict(context: Known, before: Evidence, next: Evidence): void {
  if (JSON.stringify(withoutTimes(next)) === JSON.stringify(withoutTimes(before))) return;
  context.append({ type: "evidence", evidence: next });
  context.parts.store.projects
    .update(context.id, { verdict: judge(next).verdict })
    .catch((error: Error) => context.parts.onNotice(error.message));
}

/**
 * Withdraws the verdict if the server that served the current revision has crashed: its earlier response no longer
 * counts.
 */
export function takeBackServed(context: Known, server: ServerState | undefined): void {
  const { evidence, revision } = context.view;
  // Without an exit code, the sandbox was ended, and the server only with it.
  if (server?.state !== "crashed" || server.exitCode === undefined) return;
  if (!evidence || evidence.revision !== revision || evidence.parts.serve.state !== "held") return;
  const { command, exitCode } = server;
  const ended = sentence("after-seen", { command, code: String(exitCode) });
  const next = structuredClone(evidence);
  next.parts.serve = {
    state: "failed",
    summary: ended.text,
    summaryCode: ended.coded,
    detail: server.tail || undefined,
    at: context.parts.clock.now(),
  };
  takeBackVerdict(context, evidence, next);
}

/** The parts of evidence that are compared: without times, since a repeated fault is not new. */
const withoutTimes = ({ parts }: Evidence) =>
  Object.entries(parts).map(([name, { state, summary }]) => [name, state, summary]);
