import { toProjectPath } from "@treadle/protocol/project-path";
import type { LogEvent } from "@treadle/protocol";
import { EVIDENCE_PARTS, untriedEvidence } from "@treadle/protocol/evidence";
import { describe, expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, NO_USAGE } from "../fold/log.test-support.ts";
import { isStale, loadedFrom, type Takes } from "./stale-preview.ts";

const server = (state: "up" | "starting"): LogEvent => ({
  type: "server",
  server: { state, command: "node server.js", ports: [3000], restarts: 0 },
});
const written: LogEvent = {
  type: "files",
  changes: [{ path: toProjectPath("page.js"), kind: "written", by: "model", size: 3 }],
};
const begun: LogEvent[] = [
  { type: "message", message: "m", role: "user", text: "more", queued: false },
  { type: "run-start", run: "r", message: "m", model: "x:y", dialect: "native" },
];
const ended: LogEvent = {
  type: "run-end",
  run: "r",
  outcome: "done",
  summary: "",
  revision: "v2",
  steps: 1,
  usage: NO_USAGE,
  ms: 1,
};
const before = [server("up")];
const loaded = loadedFrom(fold(emptyView(), logOf(...before)));
const stale = (hot: boolean, ...after: LogEvent[]) => staleOf({ hot, sound: true }, ...after);
const staleOf = (takes: Takes, ...after: LogEvent[]) =>
  isStale(fold(emptyView(), logOf(...before, ...after)), loaded, takes);

describe("a previewed page", () => {
  it("is reloaded when a run that changed files has ended, not before", () => {
    expect(stale(false, ...begun, written)).toBe(false);
    expect(stale(false, ...begun, written, ended)).toBe(true);
  });

  it("is reloaded after a manual change", () => {
    expect(stale(false, written)).toBe(true);
  });

  it("is not reloaded if its dev server applies the changes, or nothing changed", () => {
    expect(stale(true, ...begun, written, ended)).toBe(false);
    expect(stale(false, ...begun, ended)).toBe(false);
  });

  it("is reloaded when its server restarted, however it is updated", () => {
    expect(stale(true, server("starting"))).toBe(false);
    expect(stale(true, server("starting"), server("up"))).toBe(true);
  });

  it("that is broken accepts no updates: it is reloaded when the repair has ended", () => {
    const broken = { hot: true, sound: false };
    expect(staleOf(broken)).toBe(false);
    expect(staleOf(broken, ...begun, written)).toBe(false);
    expect(staleOf(broken, ...begun, written, ended)).toBe(true);
    expect(staleOf(broken, written)).toBe(true);
  });

  const look = (state: "held" | "failed"): LogEvent[] => {
    const evidence = untriedEvidence("v1");
    for (const part of EVIDENCE_PARTS) evidence.parts[part] = { state, summary: "" };
    return [{ type: "look-start" }, { type: "evidence", evidence }, { type: "look-end" }];
  };

  it("that is broken is reloaded when the current files were seen to work since", () => {
    const broken = { hot: true, sound: false };
    expect(staleOf(broken, ...look("held").slice(0, 2))).toBe(false);
    expect(staleOf(broken, ...look("held"))).toBe(true);
    expect(staleOf(broken, ...look("failed"))).toBe(false);
    expect(stale(true, ...look("held"))).toBe(false);
  });

  it("that shows a working state is reloaded when the current files were seen to be broken since", () => {
    expect(stale(true, ...look("failed").slice(0, 2))).toBe(false);
    expect(stale(true, ...look("failed"))).toBe(true);
  });

  it("that shows a working state is reloaded when restored files were seen to be broken earlier", () => {
    const back = (revision: string): LogEvent => ({
      type: "restored",
      revision,
      checkpoint: "c",
      label: "then",
    });
    const seen = (revision: string, state: "held" | "failed") =>
      look(state).map((event) =>
        event.type === "evidence" ? { ...event, evidence: { ...event.evidence, revision } } : event,
      );
    const log = [server("up"), ...seen("v0", "failed"), ...seen("v1", "held")];
    const sound = { hot: true, sound: true };
    const from = loadedFrom(fold(emptyView(), logOf(...log)));
    const after = (...events: LogEvent[]) => fold(emptyView(), logOf(...log, ...events));
    expect(isStale(after(written), from, sound)).toBe(false);
    expect(isStale(after(written, back("v0")), from, sound)).toBe(true);
    expect(isStale(after(written, back("v1")), from, sound)).toBe(false);
  });

  it("is reloaded when files changed while it loaded, which its dev server may not have applied", () => {
    const missed = { hot: true, sound: true, missed: true };
    expect(staleOf(missed)).toBe(false);
    expect(staleOf(missed, written)).toBe(true);
    expect(staleOf(missed, ...begun, written)).toBe(false);
    expect(staleOf(missed, ...begun, written, ended)).toBe(true);
  });
});
