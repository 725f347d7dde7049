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
  /** Faults that no later call has fixed. */
  readonly faults: Faults;
  /** Notes given to the model about how it writes calls. */
  readonly noted: Set<string>;
  /** The question for the person; the step waits at its call. */
  waitsFor?: Question | undefined;
  /** The person's answer with which the run continues, until its call has used it. */
  answer?: { question: string; answer: Answer } | undefined;
  /** What makes going on pointless, found where nothing can be thrown: the workspace or the log is gone. */
  fatal?: RunError;
}

/** @param before for a resumed run: the number of calls and which failed; for any run: the ids used in the conversation */
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
