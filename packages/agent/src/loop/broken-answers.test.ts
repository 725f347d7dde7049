import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { checkInterleavings, type Happening } from "@treadle/protocol/testing";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import {
  answer,
  call,
  rawCall,
  textParts,
  scriptedModel,
  streamOf,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";
import {
  brokenTransition,
  GO_ONS,
  UNBROKEN,
  type BrokenEffect,
  type BrokenEvent,
} from "./broken-answers.ts";

const ANY_EVENTS: readonly BrokenEvent[] = [
  { type: "answered" },
  { type: "broke", waitMs: 1 },
  { type: "broke", waitMs: undefined },
  { type: "waited" },
  { type: "stopped" },
];

it("never exceeds the limit of consecutive continuations and gives up once, in random interleavings", () => {
  checkInterleavings(() => {
    let inARow = 0;
    let isWaiting = false;
    let isOver = false;
    const answered: Happening<BrokenEvent> = () => {
      inARow = 0;
      return { type: "answered" };
    };
    const broke = (waitMs: number | undefined) => (): BrokenEvent => ({ type: "broke", waitMs });
    const stopped: Happening<BrokenEvent> = () => {
      isOver = true;
      return { type: "stopped" };
    };
    return {
      initial: UNBROKEN,
      transition: brokenTransition,
      perform(effect: BrokenEffect): Happening<BrokenEvent>[] {
        if (isOver) throw new Error("something is done although it is over");
        switch (effect.type) {
          case "wait":
            if (isWaiting) throw new Error("waits twice at once");
            if (++inARow > GO_ONS) throw new Error("goes on too often");
            isWaiting = true;
            return [
              () => {
                isWaiting = false;
                return { type: "waited" };
              },
            ];
          case "ask":
            if (isWaiting) throw new Error("asks while it waits");
            return [];
          case "give-up":
            isOver = true;
            return [];
        }
      },
      // The model can only answer or break off while it is being asked.
      offers: (state) =>
        state.phase === "going" ? [broke(1_000), answered, broke(undefined), stopped] : [stopped],
      closing: [stopped],
      checkAtEnd(state) {
        if (state.phase !== "over") throw new Error("is not over at the end");
      },
      anyEvents: ANY_EVENTS,
    };
  });
});

it("resets the count after a complete answer", () => {
  let state = UNBROKEN;
  const send = (event: BrokenEvent) => {
    const step = brokenTransition(state, event);
    state = step.state;
    return step.effects.map(({ type }) => type);
  };
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < GO_ONS; n++) {
      expect(send({ type: "broke", waitMs: 1 })).toEqual(["wait"]);
      expect(send({ type: "waited" })).toEqual(["ask"]);
    }
    send({ type: "answered" });
  }
});

const PAGE = call("write_file", { path: "index.html", content: "<h1>Hi</h1>" });
const LOOK = call("run_command", { command: "npm test" });
const gone = () => new TypeError("terminated");
/** An answer whose stream breaks after these parts. */
const broken =
  (...parts: LanguageModelV4StreamPart[][]) =>
  () =>
    streamOf(parts.flat(), gone());

describe("an answer that breaks off after it has begun", () => {
  it("is continued without the person: complete calls run once, and the model is informed", async () => {
    let prompt = "";
    const { result, events, workspace, saved } = await tryRun(
      scriptedModel(
        broken(
          textParts("I write it."),
          PAGE,
          LOOK,
          rawCall("write_file", '{"path":"b').slice(0, 2),
        ),
        (asked) => {
          prompt = toldText(asked);
          return answer("Done.");
        },
      ),
    );
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "done", steps: 2 });
    expect(workspace.text("index.html")).toBe("<h1>Hi</h1>");
    expect(workspace.commands.filter((command) => command === "npm test")).toHaveLength(1);
    expect(ofType(events, "call-end").map(({ status }) => status)).toEqual([
      "ok",
      "ok",
      "interrupted",
    ]);
    expect(prompt).toContain("I write it.");
    expect(prompt).toContain("broke off");
    expect(ofType(events, "waiting")).toMatchObject([{ reason: "retry" }]);
    expect(saved.some(({ metadata }) => (metadata as { kind?: string })?.kind === "continue")).toBe(
      true,
    );
  });

  it("is continued twice in a row, then the run ends with the error and can be resumed", async () => {
    const { result, events } = await tryRun(
      scriptedModel(
        broken(textParts("one ")),
        broken(textParts("two ")),
        broken(textParts("three ")),
        answer("four"),
      ),
    );
    expect(result).toMatchObject({ outcome: "error", steps: 3 });
    expect(ofType(events, "run-end")[0]?.error).toMatchObject({ canContinue: true });
    expect(ofType(events, "waiting")).toHaveLength(2);
  });

  it("is counted from zero after a complete answer", async () => {
    const { result } = await tryRun(
      scriptedModel(
        broken(textParts("one ")),
        broken(textParts("two ")),
        answer("three", PAGE),
        broken(textParts("four ")),
        broken(textParts("five ")),
        answer("six"),
      ),
    );
    expect(result.outcome).toBe("done");
  });

  it("is not continued if its step was the last that the run may take", async () => {
    const { result } = await tryRun(scriptedModel(broken(textParts("one ")), answer("two")), {
      limits: { steps: 1 },
    });
    expect(result).toMatchObject({ outcome: "budget", steps: 1 });
  });

  it("ends at once when the person stops the run during the wait", async () => {
    const stop = new AbortController();
    const { result, events } = await tryRun(
      scriptedModel(broken(textParts("one ")), answer("two")),
      {
        signal: stop.signal,
        onEvent: ({ type }) => {
          if (type === "waiting") stop.abort();
        },
      },
    );
    expect(result.outcome).toBe("stopped");
    expect(ofType(events, "run-end")).toHaveLength(1);
    expect(orderProblems(events)).toEqual([]);
  });
});
