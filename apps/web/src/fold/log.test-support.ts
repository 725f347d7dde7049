import { toProjectPath } from "@treadle/protocol/project-path";
import type { Evidence, LogEntry, LogEvent } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";

/** Numbers events like the store, one second apart. */
export function logOf(...events: LogEvent[]): LogEntry[] {
  return events.map((event, index) => ({ seq: index + 1, at: 1_000_000 + index * 1000, event }));
}

export const NO_USAGE = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

export function evidenceOf(
  revision: string,
  state: Evidence["parts"]["page"]["state"],
  overrides: Partial<Evidence["parts"]> = {},
): Evidence {
  const evidence = untriedEvidence(revision);
  for (const part of ["install", "build", "serve", "page", "console"] as const)
    evidence.parts[part] = overrides[part] ?? { state, summary: `${part} ${state}` };
  return evidence;
}

/** A run that writes a file, runs a command, is looked at, repaired and verified. */
export function sampleRun(run = "r1", message = "m1"): LogEvent[] {
  const call = (name: string) => `${run}-${name}`;
  return [
    {
      type: "checkpoint",
      checkpoint: `${run}-c0`,
      revision: `${run}-v0`,
      label: "Before this turn",
    },
    { type: "message", message, role: "user", text: "Build a todo app", queued: false },
    { type: "run-start", run, message, model: "x:y", dialect: "native" },
    { type: "step-start", run, step: 1 },
    { type: "waiting", run, reason: "model", text: "Waiting for the model" },
    { type: "text", run, id: "t", text: "I'll use " },
    { type: "text", run, id: "t", text: "React." },
    { type: "call-open", run, call: call("w"), tool: "write_file" },
    {
      type: "call-delta",
      call: call("w"),
      field: "content",
      text: "export const",
      path: "src/App.tsx",
    },
    {
      type: "call-delta",
      call: call("w"),
      field: "content",
      text: " a = 1;\n",
      path: "src/App.tsx",
    },
    {
      type: "call-input",
      call: call("w"),
      input: { path: "src/App.tsx", content: "export const" },
    },
    { type: "call-start", call: call("w") },
    {
      type: "call-end",
      call: call("w"),
      status: "ok",
      title: "Wrote src/App.tsx",
      result: "",
      ms: 3,
    },
    {
      type: "files",
      changes: [{ path: toProjectPath("src/App.tsx"), kind: "written", by: "model", size: 20 }],
    },
    { type: "call-open", run, call: call("i"), tool: "run_command" },
    { type: "call-input", call: call("i"), input: { command: "npm install" } },
    { type: "call-start", call: call("i") },
    { type: "output", call: call("i"), text: "added 28 " },
    { type: "output", call: call("i"), text: "packages\n" },
    {
      type: "call-end",
      call: call("i"),
      status: "ok",
      title: "Installed 28 packages",
      result: "",
      ms: 500,
    },
    {
      type: "step-end",
      run,
      step: 1,
      finish: "tool-calls",
      usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, costUsd: 0.01 },
    },
    {
      type: "server",
      server: { state: "up", command: "npm run dev", ports: [5173], restarts: 0 },
    },
    { type: "evidence", evidence: evidenceOf(`${run}-v1`, "going"), run },
    { type: "evidence", evidence: evidenceOf(`${run}-v1`, "failed"), run },
    { type: "repair", run, attempt: 1, limit: 4, reason: "it threw" },
    { type: "evidence", evidence: evidenceOf(`${run}-v2`, "held"), run },
    {
      type: "run-end",
      run,
      outcome: "done",
      verdict: "verified",
      summary: "It works.",
      revision: `${run}-v2`,
      steps: 1,
      usage: { inputTokens: 200, cachedInputTokens: 0, outputTokens: 20, costUsd: 0.02 },
      ms: 41_000,
    },
    {
      type: "checkpoint",
      checkpoint: `${run}-c1`,
      revision: `${run}-v2`,
      label: "Build a todo app",
      run,
    },
  ];
}
