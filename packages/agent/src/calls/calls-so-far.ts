import type { Answer, Question } from "@treadle/protocol";
import type { RunError } from "../ports/run-error.ts";
import type { Faults } from "./faults.ts";
import { createRepetitionGuard, type RepetitionGuard } from "./repetition-guard.ts";

/** The state that calls of a run pass on to later ones. */
export interface CallsSoFar {
  /** Calls so far; the number of the next one's id. */
  count: number;
  /** Ids by which the model knows the calls of the conversation. */
  readonly ids: Set<string>;
  readonly guard: RepetitionGuard;
  /** Faults that no later call has fixed. */
  readonly faults: Faults;
  /** Notes given to the model about how it writes calls. */
  readonly noted: Set<string>;
  /** The question for the person, for whose answer the step waits. */
  waitsFor?: Question | undefined;
  /** The person's answer with which the run resumes; cleared when its call has used it. */
  answer?: { question: string; answer: Answer } | undefined;
  /** An error that must end the run, such as a lost workspace or log. Recorded here because calls never reject. */
  fatal?: RunError;
}

/**
 * @param before for a resumed run: the number of its calls and their faults; for any run: the ids used in the
 * conversation
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
