import { toProjectPath } from "@treadle/protocol/project-path";
import type { LogEvent } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, NO_USAGE } from "../fold/log.test-support.ts";
import { isStale, loadedFrom } from "./stale-preview.ts";

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
const stale = (hot: boolean, ...after: LogEvent[]) =>
  isStale(fold(emptyView(), logOf(...before, ...after)), loaded, hot);

describe("a previewed page", () => {
  it("is loaded again when a run that changed files has ended, not before", () => {
    expect(stale(false, ...begun, written)).toBe(false);
    expect(stale(false, ...begun, written, ended)).toBe(true);
  });

  it("is loaded again after a change by hand", () => {
    expect(stale(false, written)).toBe(true);
  });

  it("is left alone where its dev server brings the changes, or nothing changed", () => {
    expect(stale(true, ...begun, written, ended)).toBe(false);
    expect(stale(false, ...begun, ended)).toBe(false);
  });

  it("is loaded again when its server is up anew, however it is kept fresh", () => {
    expect(stale(true, server("starting"))).toBe(false);
    expect(stale(true, server("starting"), server("up"))).toBe(true);
  });
});
