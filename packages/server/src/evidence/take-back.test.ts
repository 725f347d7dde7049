import type { ServerState } from "@treadle/protocol";
import { expect, it } from "vitest";
import { takeBackServed } from "./take-back.ts";
import { seenProject } from "./seen-project.test-support.ts";

const crashed: ServerState = {
  state: "crashed",
  command: "npm start",
  ports: [],
  restarts: 0,
  exitCode: 1,
  tail: "Error: dies",
};

/** Applies the end of a server to a verified project. */
function end(server: ServerState | undefined, change: Partial<{ revision: string }> = {}) {
  const { context, appended, verdicts } = seenProject(change);
  takeBackServed(context, server);
  return { appended, verdicts };
}

it("a server that ends after the verdict revokes it, with its last output", () => {
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

it("a stopped server, a lost sandbox or other files revoke nothing", () => {
  const { exitCode: _, ...lost } = crashed;
  expect(end({ ...crashed, state: "stopped" }).appended).toEqual([]);
  expect(end(lost).appended).toEqual([]);
  expect(end(crashed, { revision: "r2" }).appended).toEqual([]);
  expect(end(undefined).appended).toEqual([]);
});
