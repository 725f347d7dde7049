import { sentence, sentenceIn, type Sentence } from "@treadle/protocol/sentences";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import { abortable } from "../async/waiting.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import type { RunScope } from "../ports/run-scope.ts";
import {
  brokenTransition,
  UNBROKEN,
  type BrokenEffect,
  type BrokenEvent,
  type BrokenState,
} from "./broken-answers.ts";

/** Handles answers of a run that broke off, by the table in `broken-answers.ts`. */
export interface BrokenAnswers {
  send(event: BrokenEvent): void;
  inARow(): number;
  /**
   * Reports an answer that broke off to the person, and waits. Resolves with whether to ask the
   * model again. Rejects when the run is aborted.
   * @param waitMs milliseconds; undefined if asking again cannot help
   */
  wait(failure: ModelFailure, waitMs: number | undefined): Promise<boolean>;
}

export function createBrokenAnswers({ run, clock, emit, signal }: RunScope): BrokenAnswers {
  let answer: (goesOn: boolean | Promise<boolean>) => void = () => {};
  let words: Sentence = { text: "" };
  const sleep = async (ms: number) => {
    const { text, coded } = sentence("going-on", { seconds: Math.ceil(ms / 1000), why: words });
    emit({
      type: "waiting",
      run,
      reason: "retry",
      text,
      textCode: coded,
      until: clock.now() + ms,
    });
    try {
      await abortable(clock.sleep(ms, signal), signal);
    } catch (error) {
      lifecycle.send({ type: "stopped" });
      throw error;
    }
    lifecycle.send({ type: "waited" });
    return true;
  };
  const perform = (effect: BrokenEffect) => {
    if (effect.type === "wait") answer(sleep(effect.ms));
    if (effect.type === "give-up") answer(false);
  };
  const lifecycle = createLifecycle<BrokenState, BrokenEvent, BrokenEffect>(
    UNBROKEN,
    brokenTransition,
    perform,
  );
  return {
    send: (event) => lifecycle.send(event),
    inARow: () => (lifecycle.state.phase === "over" ? 0 : lifecycle.state.inARow),
    wait: (failure, waitMs) =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
        words = sentenceIn(failure);
        lifecycle.send({ type: "broke", waitMs });
      }),
  };
}
