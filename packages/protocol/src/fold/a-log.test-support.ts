import { toProjectPath } from "@treadle/protocol/project-path";
import type { Evidence, PartState } from "../evidence/types.ts";
import { untriedEvidence } from "../evidence/judge.ts";
import { EVIDENCE_PARTS } from "../evidence/types.ts";
import type { LogEvent } from "../log/types.ts";
import { createLogFold } from "./log-fold.ts";
import type { ProjectState } from "./types.ts";
import { NO_USAGE } from "./usage.ts";

/** Evidence with all parts in one state, except the given ones. */
export function evidenceIn(
  revision: string,
  state: PartState,
  parts: Partial<Record<keyof Evidence["parts"], PartState>> = {},
): Evidence {
  const evidence = untriedEvidence(revision);
  for (const part of EVIDENCE_PARTS) {
    const is = parts[part] ?? state;
    evidence.parts[part] = { state: is, summary: `${part} ${is}` };
  }
  return evidence;
}

/** The state after these events, applied one by one. */
export function stateAfter(...events: LogEvent[]): ProjectState {
  const fold = createLogFold();
  for (const [index, event] of events.entries()) fold.add(event, index + 1);
  return fold.state;
}

export const started = (run: string): LogEvent => ({
  type: "run-start",
  run,
  message: `m-${run}`,
  model: "x:y",
  dialect: "native",
});

export const ended = (
  run: string,
  revision: string,
  verdict?: "verified" | "failed" | "unverified",
): LogEvent => ({
  type: "run-end",
  run,
  outcome: "done",
  verdict,
  summary: "",
  revision,
  steps: 1,
  usage: { ...NO_USAGE, inputTokens: 10 },
  ms: 1,
});

export const seen = (evidence: Evidence, run?: string): LogEvent => ({
  type: "evidence",
  evidence,
  run,
});

export const touched = (by: "model" | "person" | "command", revision?: string): LogEvent => ({
  type: "files",
  revision,
  changes: [{ path: toProjectPath("a.ts"), kind: "written", by, size: 1 }],
});

export const wentBack = (revision: string): LogEvent => ({
  type: "restored",
  checkpoint: `c-${revision}`,
  revision,
  label: "x",
});

/** A turn that is built and verified. */
export const verifiedTurn = (run: string, revision: string): LogEvent[] => [
  { type: "message", message: `m-${run}`, role: "user", text: "Build", queued: false },
  started(run),
  touched("model"),
  seen(evidenceIn(revision, "held"), run),
  ended(run, revision, "verified"),
  { type: "checkpoint", checkpoint: `c-${revision}`, revision, label: "x", run },
];
