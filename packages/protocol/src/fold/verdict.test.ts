import { describe, expect, it } from "vitest";
import { EVIDENCE_PARTS } from "../evidence/types.ts";
import type { LogEvent } from "../log/types.ts";
import {
  ended,
  evidenceIn,
  seen,
  started,
  stateAfter,
  touched,
  verifiedTurn,
  wentBack,
} from "./a-log.test-support.ts";
import type { ProjectState } from "./types.ts";
import { evidenceOf, statusOf, summaryStatus, verdictOf } from "./verdict.ts";

const beads = (state: ProjectState) => {
  const { parts } = evidenceOf(state);
  return EVIDENCE_PARTS.map((part) => parts[part].state);
};
const ALL_HELD = EVIDENCE_PARTS.map(() => "held");
const LOOK: LogEvent = { type: "look-start" };
const OVER: LogEvent = { type: "look-end" };

describe("the status of a project", () => {
  it("is new until there is a message or checkpoint", () => {
    expect(statusOf(stateAfter())).toBe("new");
    expect(statusOf(stateAfter(touched("person", "v1")))).toBe("unverified");
  });

  it("changes from working to waiting to working, and then to a verdict", () => {
    const question: LogEvent = {
      type: "question",
      run: "r1",
      question: { kind: "words", id: "q", call: "c", text: "Which?", choices: [] },
    };
    const answer: LogEvent = {
      type: "answer",
      run: "r1",
      question: "q",
      answer: { kind: "words", text: "This" },
    };
    const end = ended("r1", "v1", "failed");
    const words = [started("r1"), question, answer, end].map((_, index, all) =>
      statusOf(stateAfter(...all.slice(0, index + 1))),
    );
    expect(words).toEqual(["working", "waiting", "working", "failed"]);
  });

  it("is working from the message on, until it is withdrawn or passed to a run", () => {
    const sent = (message: string): LogEvent => ({
      type: "message",
      message,
      role: "user",
      text: "More",
      queued: true,
    });
    const done = verifiedTurn("r1", "v1");
    const before = statusOf(stateAfter(...done));
    expect(statusOf(stateAfter(...done, sent("m-r2")))).toBe("working");
    expect(
      statusOf(stateAfter(...done, sent("m-r2"), started("r2"), ended("r2", "v1", "verified"))),
    ).toBe(before);
    expect(
      statusOf(stateAfter(...done, sent("m2"), { type: "message-removed", message: "m2" })),
    ).toBe(before);
    const taken: LogEvent = { type: "message-taken", run: "r1", message: "m2" };
    expect(statusOf(stateAfter(...done.slice(0, -2), sent("m2"), taken, ...done.slice(-2)))).toBe(
      before,
    );
    expect(statusOf(stateAfter(...done, sent("m2"), started("r3"), ended("r3", "v1")))).toBe(
      "working",
    );
  });

  it("is the same as for the summary in a list", () => {
    const verdicts = ["verified", "runs", "failed", "unverified", undefined] as const;
    for (const verdict of verdicts)
      for (const working of [true, false])
        for (const waits of [true, undefined])
          expect(summaryStatus({ verdict, working, waits })).toBe(
            waits ? "waiting" : working ? "working" : (verdict ?? "new"),
          );
  });

  it("has no verdict during a look, whatever was observed so far", () => {
    const look = [
      LOOK,
      seen(evidenceIn("v2", "untried", { install: "going" })),
      seen(evidenceIn("v2", "untried", { install: "held" })),
      seen(evidenceIn("v2", "untried", { install: "held", serve: "going" })),
      seen(evidenceIn("v2", "held", { page: "going", console: "going" })),
      seen(evidenceIn("v2", "held", { page: "failed" })),
    ];
    const before = [...verifiedTurn("r1", "v1"), touched("person")];
    for (let count = 1; count <= look.length; count++)
      expect(statusOf(stateAfter(...before, ...look.slice(0, count)))).toBe("working");
    expect(statusOf(stateAfter(...before, ...look, OVER))).toBe("failed");
  });

  it("is revoked by later evidence", () => {
    const later = seen(evidenceIn("v1", "held", { console: "failed" }));
    expect(statusOf(stateAfter(...verifiedTurn("r1", "v1"), later))).toBe("failed");
  });

  it("is no longer verified after someone other than the model changed a file", () => {
    const turn = verifiedTurn("r1", "v1");
    expect(statusOf(stateAfter(...turn, touched("model")))).toBe("runs");
    for (const by of ["person", "command"] as const)
      expect(statusOf(stateAfter(...turn, touched(by)))).toBe("unverified");
  });
});

describe("status and evidence agree", () => {
  it("after restoring a verified revision", () => {
    const log = [...verifiedTurn("r1", "v1"), ...verifiedTurn("r2", "v2"), wentBack("v1")];
    expect(statusOf(stateAfter(...log))).toBe("runs");
    expect(beads(stateAfter(...log))).toEqual(ALL_HELD);
  });

  it("after a person manually restored a verified state", () => {
    const log = [...verifiedTurn("r1", "v1"), touched("person"), touched("person", "v1")];
    expect(statusOf(stateAfter(...log))).toBe("runs");
    expect(beads(stateAfter(...log))).toEqual(ALL_HELD);
  });

  it("a restored state can be revoked like one that was just built", () => {
    const log = [...verifiedTurn("r1", "v1"), ...verifiedTurn("r2", "v2"), wentBack("v1")];
    const state = stateAfter(...log);
    expect(state.evidence?.revision).toBe("v1");
    const later = stateAfter(...log, seen(evidenceIn("v1", "held", { console: "failed" })));
    expect([statusOf(later), beads(later).at(-1)]).toEqual(["failed", "failed"]);
    expect(statusOf(stateAfter(...log, wentBack("v2")))).toBe("runs");
  });

  it("after an interrupted look: earlier evidence counts", () => {
    const look = [LOOK, seen(evidenceIn("v1", "untried", { install: "going" }))];
    for (const events of [[OVER], [started("r2"), OVER, ended("r2", "v1")]]) {
      const state = stateAfter(...verifiedTurn("r1", "v1"), ...look, ...events);
      expect([statusOf(state), beads(state)]).toEqual(["runs", ALL_HELD]);
    }
  });

  it("after a look that observed less than the turn", () => {
    const look = [LOOK, seen(evidenceIn("v1", "held", { page: "untried" })), OVER];
    expect(statusOf(stateAfter(...verifiedTurn("r1", "v1"), ...look))).toBe("unverified");
  });

  it("a look without observations leaves the evidence unchanged", () => {
    const state = stateAfter(...verifiedTurn("r1", "v1"), LOOK, OVER);
    expect([statusOf(state), beads(state)]).toEqual(["runs", ALL_HELD]);
  });

  it("parts that an interrupted look left in progress are not in progress any more", () => {
    const going = seen(evidenceIn("v1", "untried", { install: "held", serve: "going" }), "r1");
    const state = stateAfter(started("r1"), going, ended("r1", "v1", "unverified"));
    expect(evidenceOf(state).parts.serve).toEqual({
      state: "untried",
      summary: "the look was cut short",
    });
  });
});

it("a turn's own verdict has precedence over parts that say less", () => {
  const look = seen(evidenceIn("v1", "held", { page: "untried" }), "r1");
  const state = stateAfter(started("r1"), look, ended("r1", "v1", "failed"));
  expect(verdictOf(state)).toEqual({
    verdict: "failed",
    reason: "as the turn that left them so found them",
  });
});

it("unchecked files have no verdict; neither do files that have changed since", () => {
  expect(verdictOf(stateAfter(started("r1")))).toBeUndefined();
  expect(verdictOf(stateAfter(...verifiedTurn("r1", "v1"), wentBack("v0")))).toEqual({
    verdict: "unverified",
    reason: "the files changed since they were looked at",
  });
});

it("a run that ended before its check names no revision", () => {
  const state = stateAfter(...verifiedTurn("r1", "v1"), started("r2"), ended("r2", "", "failed"));
  expect([state.revision, statusOf(state)]).toEqual(["v1", "runs"]);
});

it("evidence of an unchecked revision is always the same object", () => {
  const state = stateAfter(touched("person", "v9"));
  expect(evidenceOf(state)).toBe(evidenceOf(state));
});

it("stays the same object for each of several projects shown together", () => {
  const [one, other] = [stateAfter(touched("person", "v1")), stateAfter(touched("person", "v2"))];
  const before = [evidenceOf(one), evidenceOf(other)];
  expect(evidenceOf(one)).toBe(before[0]);
  expect(evidenceOf(other)).toBe(before[1]);
});
