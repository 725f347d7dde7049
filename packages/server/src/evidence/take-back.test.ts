import type { Evidence, LogEvent, ServerState } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { takeBackServed } from "./take-back.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { emptyState } from "@treadle/protocol/fold";

const crashed: ServerState = {
  state: "crashed",
  command: "npm start",
  ports: [],
  restarts: 0,
  exitCode: 1,
  tail: "Error: dies",
};

/** What the end of a server makes of a project that was seen to work. */
function end(server: ServerState | undefined, change: Partial<{ revision: string }> = {}) {
  const evidence: Evidence = untriedEvidence("r1");
  for (const part of Object.values(evidence.parts)) part.state = "held";
  const appended: LogEvent[] = [];
  const verdicts: unknown[] = [];
  const context = {
    id: "p",
    view: { ...emptyState(), evidence, revision: "r1", ...change },
    append: (event: LogEvent) => appended.push(event),
    parts: {
      clock: { now: () => 5 },
      onNotice: () => {},
      store: {
        projects: { update: async (_id: string, next: object) => void verdicts.push(next) },
      },
    },
  } as unknown as ProjectContext;
  takeBackServed(context, server);
  return { appended, verdicts };
}

it("a server that ends after the verdict takes it back, with its last words", () => {
  const { appended, verdicts } = end(crashed);
  expect(appended).toMatchObject([
    {
      type: "evidence",
      evidence: {
        revision: "r1",
        parts: {
          serve: {
            state: "failed",
            summary: "npm start ended with 1 after it was seen to work",
            detail: "Error: dies",
          },
        },
      },
    },
  ]);
  expect(verdicts).toEqual([{ verdict: "failed" }]);
});

it("one that was stopped, or whose sandbox went away, or of other files, takes nothing back", () => {
  const { exitCode: _, ...lost } = crashed;
  expect(end({ ...crashed, state: "stopped" }).appended).toEqual([]);
  expect(end(lost).appended).toEqual([]);
  expect(end(crashed, { revision: "r2" }).appended).toEqual([]);
  expect(end(undefined).appended).toEqual([]);
});
