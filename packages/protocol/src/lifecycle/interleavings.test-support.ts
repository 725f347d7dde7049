/**
 * Drives a state machine through random interleavings: outside events, and effects that end in any
 * order or fail. A test supplies the machine and a small model of its environment; the model checks
 * the invariants.
 */
import fc from "fast-check";
import type { Transition } from "./index.ts";

/**
 * Something that happens in the environment: changes the model, and returns the event for the
 * machine, if any.
 */
export type Happening<Event> = () => Event | undefined;

export interface World<State, Event, Effect> {
  readonly initial: State;
  readonly transition: Transition<State, Event, Effect>;
  /**
   * Starts an effect. Returns its possible ends, the usual one (success) first; none if the machine
   * receives no event. Exactly one of them happens later.
   * @throws if this effect must not be performed now
   */
  perform(effect: Effect): readonly Happening<Event>[];
  /** Events that may occur now other than the end of an effect: a person's request, a crash. */
  offers(state: State): readonly Happening<Event>[];
  /** Called after each event. @throws if an invariant is broken */
  check?(state: State): void;
  /**
   * Events that have to bring every state to its end, in order; each follows once all effects have
   * succeeded.
   */
  readonly closing?: readonly Happening<Event>[];
  /** Called at the very end, when no effect is pending. @throws if something is left over, lost or unanswered */
  checkAtEnd?(state: State): void;
  /**
   * Events that are applied to reached states for trial only: a total transition accepts all of
   * them.
   */
  readonly anyEvents?: readonly Event[];
}

/** An effect in progress with its possible ends. */
type Pending<Event> = readonly Happening<Event>[];

/** Maximum number of steps with only successes; more means that the machine never comes to rest. */
const MAX_STEPS_TO_REST = 10_000;

/**
 * Runs one interleaving: each number of `tape` chooses one of the possible events. At the end of
 * the tape all pending effects succeed, oldest first, and `closing` follows.
 * @throws the model's error, with the events that led to it
 */
export function followTape<State, Event, Effect>(
  world: World<State, Event, Effect>,
  tape: readonly number[],
): void {
  const pending: Pending<Event>[] = [];
  const events: Event[] = [];
  let state = deepFreeze(world.initial);

  function happen(happening: Happening<Event>): void {
    const event = happening();
    if (event === undefined) return;
    events.push(event);
    const { anyEvents = [] } = world;
    const tried = anyEvents[events.length % anyEvents.length];
    if (tried !== undefined) world.transition(state, tried);
    const step = world.transition(state, event);
    state = deepFreeze(step.state);
    for (const effect of step.effects) {
      const ends = world.perform(effect);
      if (ends.length > 0) pending.push(ends);
    }
    world.check?.(state);
  }
  function rest(): void {
    for (let steps = 0; ; steps++) {
      const oldest = pending.shift();
      if (oldest === undefined) return;
      if (steps >= MAX_STEPS_TO_REST) throw new Error("the machine never comes to rest");
      happen(oldest[0]!);
    }
  }
  try {
    for (const number of tape) {
      const ends = pending.flatMap((ways, index) => ways.map((way) => ({ way, index })));
      const offers = world.offers(state);
      const chosen = number % (ends.length + offers.length || 1);
      const end = ends[chosen];
      if (end) {
        pending.splice(end.index, 1);
        happen(end.way);
      } else {
        const offer = offers[chosen - ends.length];
        if (offer) happen(offer);
      }
    }
    rest();
    for (const happening of world.closing ?? []) {
      happen(happening);
      rest();
    }
    world.checkAtEnd?.(state);
  } catch (error) {
    const story = events.map((event) => JSON.stringify(event)).join("\n  ");
    throw new Error(
      `${(error as Error).message}\nafter:\n  ${story}\nin state ${JSON.stringify(state)}`,
      { cause: error },
    );
  }
}

/**
 * Maximum number of events and ends of effects in one interleaving, before everything comes to
 * rest.
 */
const MAX_STEPS = 40;

/**
 * Checks random interleavings, each in a new environment. Fails with the seed and the shortest
 * failing interleaving.
 * @param options.runs number of runs; 1,000 by default, because each run of the tests takes other ones, and `npm run soak
 * lives` millions of them
 * @param options.seed to reproduce a failure; random by default
 */
export function checkInterleavings<State, Event, Effect>(
  createWorld: () => World<State, Event, Effect>,
  options: { runs?: number; seed?: number } = {},
): void {
  const tapes = fc.array(fc.nat({ max: 9_999 }), { maxLength: MAX_STEPS, size: "max" });
  const { runs: numRuns = 1_000, seed } = options;
  fc.assert(
    fc.property(tapes, (tape) => followTape(createWorld(), tape)),
    seed === undefined ? { numRuns } : { numRuns, seed },
  );
}

/**
 * Checks interleavings until the time is over, and prints the seeds and each failure.
 * @returns whether all passed
 */
export function soakInterleavings<State, Event, Effect>(
  name: string,
  createWorld: () => World<State, Event, Effect>,
  options: { minutes: number; firstSeed?: number | undefined; print(line: string): void },
): boolean {
  const { minutes, print, firstSeed = Date.now() % 1_000_000_000 } = options;
  const end = performance.now() + minutes * 60_000;
  const runs = 10_000;
  let seed = firstSeed;
  let failures = 0;
  for (; performance.now() < end && failures < 3; seed++)
    try {
      checkInterleavings(createWorld, { runs, seed });
    } catch (error) {
      failures++;
      print(`${name}, seed ${seed}: ${(error as Error).stack}`);
    }
  const count = ((seed - firstSeed) * runs).toLocaleString("en");
  print(`${name}: ${count} interleavings, seeds ${firstSeed} to ${seed - 1}, ${failures} failed`);
  return failures === 0;
}

/** Makes a transition that mutates its state throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value) as unknown;
  // Other objects (an error, a signal) are only passed along.
  if (prototype !== Object.prototype && !Array.isArray(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
