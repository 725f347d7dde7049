import type { Answer, Question } from "@treadle/protocol";
import type { RunError } from "../ports/run-error.ts";
import type { Faults } from "./faults.ts";
import { stableJson } from "../text/stable-json.ts";
import { SAME_CALL_STOPPED, SAME_CALL_TOLD } from "./limits.ts";

/** What the calls of a run leave to those after them. */
export interface RunCalls {
  /** Calls so far; the number of the next one's id. */
  count: number;
  readonly guard: CallGuard;
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

/** @param before how many there were, and what of them went badly, of a run that goes on */
export function createRunCalls(before: {
  count?: number;
  faults?: Iterable<FaultEntry>;
}): RunCalls {
  return {
    count: before.count ?? 0,
    guard: createCallGuard(),
    faults: new Map(before.faults),
    noted: new Set(),
  };
}

type FaultEntry = Faults extends Map<infer Key, infer Fault> ? readonly [Key, Fault] : never;

/**
 * Counts the same call with the same arguments. What counts is repetition without effect: a changed file starts the
 * count anew, since building again after a change is work and not a loop.
 */
export interface CallGuard {
  /** `told`: say so in the result. `stop`: do not run it, end the run. */
  check(tool: string, input: unknown): "go" | "told" | "stop";
  filesChanged(): void;
}

export function createCallGuard(): CallGuard {
  const counts = new Map<string, number>();
  return {
    check(tool, input) {
      const key = `${tool} ${stableJson(input)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count >= SAME_CALL_STOPPED) return "stop";
      return count >= SAME_CALL_TOLD ? "told" : "go";
    },
    filesChanged: () => counts.clear(),
  };
}

/**
 * Runs calls one at a time in the order in which they were added, each as soon as the one before it has ended. By hand,
 * since p-limit can forget what waits but not give it back, and each call has to get a result.
 */
export interface CallQueue<Call> {
  add(call: Call): void;
  /** Calls that have not begun are given back and will not run. */
  drop(): Call[];
  /** Resolves when nothing runs and nothing waits. */
  drained(): Promise<void>;
}

/** @param run must not reject: what fails is the call's result. */
export function createCallQueue<Call>(run: (call: Call) => Promise<void>): CallQueue<Call> {
  let waiting: Call[] = [];
  let going: Promise<void> | undefined;

  const work = async () => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call);
    going = undefined;
  };
  return {
    add(call) {
      waiting.push(call);
      going ??= work();
    },
    drop() {
      const dropped = waiting;
      waiting = [];
      return dropped;
    },
    async drained() {
      await going;
    },
  };
}
