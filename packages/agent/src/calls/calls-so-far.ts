import type { Answer, Question } from "@treadle/protocol";
import type { RunError } from "../ports/run-error.ts";
import type { Faults } from "./faults.ts";
import { createRepetitionGuard, type RepetitionGuard } from "./repetition-guard.ts";

/** What the calls of a run leave to those after them. */
export interface CallsSoFar {
  /** Calls so far; the number of the next one's id. */
  count: number;
  /** What the calls of the conversation are known by to the model. */
  readonly ids: Set<string>;
  readonly guard: RepetitionGuard;
  /** What went badly and was not made good yet. */
  readonly faults: Faults;
  /** What the model was told of how it writes its calls. */
  readonly noted: Set<string>;
  /** What the person was asked: the step stands still at its call. */
  waitsFor?: Question | undefined;
  /** The person's answer with which the run goes on, until its call has taken it. */
  answer?: { question: string; answer: Answer } | undefined;
  /** What makes going on pointless, found where nothing can be thrown: the workspace or the log is gone. */
  fatal?: RunError;
}

/**
 * @param before of a run that goes on: how many there were, and which of them failed; of any: what the conversation's
 * calls are known by
 */
export function createCallsSoFar(before: {
  count?: number | undefined;
  ids?: Iterable<string>;
  faults?: Iterable<FaultEntry>;
}): CallsSoFar {
  return {
    count: before.count ?? 0,
    ids: new Set(before.ids),
    guard: createRepetitionGuard(),
    faults: new Map(before.faults),
    noted: new Set(),
  };
}

type FaultEntry = Faults extends Map<infer Key, infer Fault> ? readonly [Key, Fault] : never;
