import { toProjectPath } from "@treadle/protocol/project-path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PartState } from "../evidence/types.ts";
import type { LogEvent } from "../log/types.ts";
import {
  ended,
  evidenceIn,
  seen,
  started,
  stateAfter,
  touched,
  wentBack,
} from "./a-log.test-support.ts";
import { conversationOf } from "./conversation.ts";
import { Draft } from "./draft.ts";
import { emptyState, foldEvent } from "./fold-event.ts";
import { createLogFold } from "./log-fold.ts";
import { REVISIONS_KNOWN } from "./revisions.ts";
import type { ProjectState } from "./types.ts";
import { statusOf, verdictOf } from "./verdict.ts";

const name = (prefix: string) => fc.integer({ min: 1, max: 3 }).map((n) => `${prefix}${n}`);
const partState = fc.constantFrom<PartState>("untried", "going", "held", "failed");
const verdict = fc.constantFrom("verified", "failed", "unverified", undefined);
const revision = name("v");

/** Any event in any order: a truncated or repaired log may contain anything. */
const event: fc.Arbitrary<LogEvent> = fc.oneof(
  name("r").map(started),
  fc.tuple(name("r"), revision, verdict).map(([run, at, end]) => ended(run, at, end)),
  fc
    .tuple(revision, partState, partState)
    .map(([at, all, page]) => seen(evidenceIn(at, all, { page }))),
  fc
    .tuple(fc.constantFrom("model", "person", "command"), fc.option(revision, { nil: undefined }))
    .map(([by, at]) => touched(by, at)),
  revision.map(wentBack),
  fc
    .tuple(revision, fc.oneof(name("m-r"), fc.constant("")), name("k"), name("m-r"))
    .map(([at, head, checkpoint, from]): LogEvent => ({
      ...(wentBack(at) as Extract<LogEvent, { type: "restored" }>),
      head,
      left: { checkpoint, head: from },
    })),
  fc.tuple(name("k"), fc.option(name("n"), { nil: undefined })).map(([checkpoint, called]) => ({
    type: "checkpoint-named" as const,
    checkpoint,
    name: called,
  })),
  fc
    .array(name("k"))
    .map((checkpoints): LogEvent => ({ type: "checkpoints-thinned", checkpoints })),
  name("t").map((text): LogEvent => ({
    type: "todo",
    by: "model",
    items: [{ text, status: "todo" }],
  })),
  fc.constantFrom<LogEvent>({ type: "look-start" }, { type: "look-end" }),
  fc
    .tuple(name("r"), name("c"))
    .map(([run, call]): LogEvent => ({ type: "call-open", run, call, tool: "x" })),
  name("c").map((call): LogEvent => ({
    type: "call-end",
    call,
    status: "ok",
    title: "",
    result: "",
    ms: 1,
  })),
  fc.tuple(name("r"), name("q"), name("c")).map(([run, id, call]): LogEvent => ({
    type: "question",
    run,
    question: { kind: "words", id, call, text: "?", choices: [] },
  })),
  name("q").map((question): LogEvent => ({
    type: "answer",
    run: "r1",
    question,
    answer: { kind: "words", text: "x" },
  })),
  fc
    .tuple(name("k"), revision, fc.option(name("r"), { nil: undefined }))
    .map(([checkpoint, at, run]): LogEvent => ({
      type: "checkpoint",
      checkpoint,
      revision: at,
      label: "",
      run,
    })),
  name("h").map((host): LogEvent => ({ type: "egress-refused", host })),
  fc.array(name("h")).map((hosts): LogEvent => ({ type: "hosts-changed", hosts })),
  name("f").map((path): LogEvent => ({
    type: "protected-accepted",
    path: toProjectPath(path),
    version: "1",
  })),
);
const log = fc.array(event, { maxLength: 60 });

/** Folds the log in batches of these sizes; each batch starts from the previous result. */
function inPieces(events: readonly LogEvent[], sizes: readonly number[]): ProjectState {
  let state = emptyState();
  let at = 0;
  for (const size of [...sizes, events.length]) {
    const draft = new Draft(state);
    for (const one of events.slice(at, at + size)) foldEvent(draft, one, (at += 1));
    ({ state } = draft);
  }
  return state;
}

const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 20 });

it("any prefix of a log gives the same result, folded in any batches", () => {
  fc.assert(
    fc.property(log, fc.nat(60), sizes, (events, length, cuts) => {
      const prefix = events.slice(0, length);
      expect(inPieces(prefix, cuts)).toEqual(stateAfter(...prefix));
    }),
  );
});

it("folding further events does not change earlier results", () => {
  fc.assert(
    fc.property(log, log, (first, more) => {
      const state = inPieces(first, []);
      const before = structuredClone(state);
      const draft = new Draft(state);
      for (const one of more) foldEvent(draft, one, 1);
      expect(state).toEqual(before);
    }),
  );
});

it("after any restores, the conversation is a path of sent messages that ends at its head", () => {
  fc.assert(
    fc.property(log, (events) => {
      const state = stateAfter(...events);
      const path = [...conversationOf(state)];
      expect(path[0] ?? "").toBe(state.head);
      for (const [index, message] of path.entries())
        expect(state.said.get(message)?.parent).toBe(path[index + 1] ?? "");
    }),
  );
});

it("never reports verified without passed evidence or a turn's verdict", () => {
  fc.assert(
    fc.property(log, (events) => {
      const state = stateAfter(...events);
      if (statusOf(state) !== "verified") return;
      expect(verdictOf(state)?.verdict).toBe("verified");
      expect(state.run ?? state.look).toBeUndefined();
      expect(state.revision).toBeDefined();
    }),
  );
});

it("an event of an unknown type changes nothing", () => {
  const before = stateAfter(started("r1"));
  const odd = { type: "from-the-future" } as unknown as LogEvent;
  expect(stateAfter(started("r1"), odd)).toEqual(before);
});

it("keeps a bounded number of revisions, and always the current one", () => {
  const events = Array.from({ length: REVISIONS_KNOWN + 50 }, (_, index) =>
    seen(evidenceIn(`v${index}`, "held")),
  );
  const { known } = stateAfter(...events);
  expect(known.size).toBe(REVISIONS_KNOWN);
  expect([known.has("v0"), known.has(`v${events.length - 1}`)]).toEqual([false, true]);
});

it("folding event by event copies nothing: collections keep their identity", () => {
  const fold = createLogFold();
  const checkpointed = (index: number): LogEvent => ({
    type: "checkpoint",
    checkpoint: `k${index}`,
    revision: `v${index}`,
    label: "",
  });
  fold.add(checkpointed(0), 0);
  fold.add(seen(evidenceIn("v0", "held")), 0);
  fold.add({ type: "call-open", run: "r", call: "c0", tool: "x" }, 0);
  const { checkpoints, known, openCalls } = fold.state;
  for (let index = 1; index < 1000; index++) {
    fold.add(checkpointed(index), index);
    fold.add({ type: "call-open", run: "r", call: `c${index}`, tool: "x" }, index);
    fold.add(seen(evidenceIn(`v${index}`, "held")), index);
  }
  expect(fold.state.checkpoints).toBe(checkpoints);
  expect(fold.state.known).toBe(known);
  expect(fold.state.openCalls).toBe(openCalls);
  expect(checkpoints).toHaveLength(1000);
});
