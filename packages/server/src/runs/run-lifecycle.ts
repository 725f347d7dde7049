/**
 * State machine of a project's message queue: a message is recorded, then accepted, then run; one
 * run at a time, in order of arrival.
 * Invariants; `run-lifecycle.test.ts` checks them over random interleavings:
 * - Nothing accepted is lost: until its run begins, an accepted message is in the newest written
 * record.
 * - Nothing refused runs, and nothing runs twice: a run begins once, and continues only after it
 * has waited.
 * - Only one run is active at a time.
 * - Writes of the record do not overlap, and each contains the whole queue, so a later one never
 * loses to an earlier one.
 * - Every caller is answered exactly once.
 * - Every state can be left: a write, a run or its follow-up work may fail, and the next message
 * still runs.
 */
import type { Step } from "@treadle/protocol/lifecycle";

/** Identifies a caller that waits for an answer. */
export type Caller = number;

/** The parts of a message that the state machine needs. */
export interface Message {
  readonly message: string;
  readonly started: boolean;
  readonly waits?: true | undefined;
  readonly now?: true | undefined;
  readonly mode?: string | undefined;
}

/** A queued message whose run has not begun. */
interface Entry<Item> {
  readonly item: Item;
  /** `arriving`: not recorded yet. `logging`: accepted, and being written to the log. */
  readonly status: "arriving" | "logging" | "ready";
  /** Whether something was queued before it on arrival. */
  readonly isQueued: boolean;
  /** The records that decide whether the message is accepted, removed, or given to the active run. */
  readonly arrival?: Decision | undefined;
  readonly removal?: Decision | undefined;
  readonly hurry?: Decision | undefined;
  /** Callers that asked to stop the run before it began. */
  readonly stoppers: readonly Caller[];
}

interface Decision {
  readonly caller: Caller;
  readonly revision: number;
}

type Abort = "stopped" | "server-stops";

/** How a waiting run continues: with an answer, or without one to its end. */
export interface Resumption<Answer> {
  readonly answer?: Answer | undefined;
}

/** The message whose run has begun. */
interface Current<Item> {
  readonly item: Item;
  /** Callers that wait for its end. */
  readonly stoppers: readonly Caller[];
}

type Phase<Item, Answer> =
  | { readonly phase: "idle" }
  /** The run's start is being recorded. */
  | ({
      readonly phase: "starting";
      readonly startRevision: number;
      readonly resumption: Resumption<Answer> | undefined;
      readonly abort: Abort | undefined;
      /** An answer that arrived before the run began to wait. */
      readonly given: Resumption<Answer> | undefined;
    } & Current<Item>)
  | ({
      readonly phase: "running";
      readonly abort: Abort | undefined;
      readonly given: Resumption<Answer> | undefined;
      /** Whether the run's end is logged, and only follow-up work remains. */
      readonly hasEnded: boolean;
      /** Callers that requested a stop after its end, with an empty queue. */
      readonly tooLate: readonly Caller[];
    } & Current<Item>)
  /** The run waits for the person. */
  | ({ readonly phase: "waiting" } & Current<Item>)
  /** The run's end is being recorded. */
  | { readonly phase: "ending"; readonly endRevision: number }
  /** Follow-up work of a run is in progress. */
  | { readonly phase: "following" };

export type LineState<Item, Answer> = Phase<Item, Answer> & {
  readonly line: readonly Entry<Item>[];
  /** Incremented with each change to record. */
  readonly revision: number;
  /** The revision that is being written. */
  readonly writing: number | undefined;
  /** The revision last written, or that failed to be written. */
  readonly attempted: number;
  /** Whether that write failed, so that the stored record is older. */
  readonly isStale: boolean;
  /** Whether closing has already retried a stale record. */
  readonly isRetried: boolean;
  readonly isClosed: boolean;
  /** Callers that wait until nothing runs and nothing is being written. */
  readonly closers: readonly Caller[];
  /**
   * Callers that wait until nothing runs and the queue is empty, except for a run that waits for
   * the person.
   */
  readonly idlers: readonly Caller[];
};

export type LineEvent<Item, Answer> =
  | { readonly type: "add"; readonly item: Item; readonly caller: Caller }
  | { readonly type: "remove" | "hurry"; readonly message: string; readonly caller: Caller }
  | { readonly type: "stop" | "close" | "idle"; readonly caller: Caller }
  | { readonly type: "answer"; readonly answer: Answer }
  | { readonly type: "recorded"; readonly revision: number }
  | { readonly type: "record-failed"; readonly revision: number; readonly error: unknown }
  /** The log contains the message, or cannot accept it now. */
  | { readonly type: "logged"; readonly message: string }
  /** The run received these messages. */
  | { readonly type: "steered"; readonly messages: readonly string[] }
  /** The run's end is logged. */
  | { readonly type: "run-ended" }
  /** Nothing of the run is active any more. */
  | { readonly type: "run-over"; readonly waits: boolean }
  | { readonly type: "followed" };

export type LineEffect<Item, Answer> =
  /** Results in `recorded` or `record-failed`. */
  | { readonly type: "record"; readonly items: readonly Item[]; readonly revision: number }
  /** Logs a message. Results in `logged`; the caller is answered then. */
  | {
      readonly type: "log-message";
      readonly item: Item;
      readonly isQueued: boolean;
      readonly caller: Caller;
    }
  /** Logs that a message was removed, or given to the active run. The caller is answered once that is logged. */
  | {
      readonly type: "log-removal" | "log-hurry";
      readonly message: string;
      readonly caller: Caller;
    }
  /** Results in `run-over`; `run-ended` may come before. */
  | {
      readonly type: "run";
      readonly item: Item;
      readonly resumption: Resumption<Answer> | undefined;
      readonly abort: Abort | undefined;
    }
  /** Aborts the active run. */
  | { readonly type: "abort"; readonly reason: Abort }
  /** Results in `followed`. */
  | { readonly type: "follow" }
  | { readonly type: "answer"; readonly callers: readonly Caller[]; readonly value: boolean }
  | { readonly type: "reject"; readonly callers: readonly Caller[]; readonly error: unknown }
  /**
   * The record could not be written, but the queue continues, since its messages matter more than
   * the record.
   */
  | { readonly type: "report"; readonly error: unknown };

type State<I, A> = LineState<I, A>;
type Moved<I, A> = Step<State<I, A>, LineEffect<I, A>>;

/** The state after a restart, from the record. */
export function initialLine<Item extends Message>(
  recorded: readonly Item[],
): LineState<Item, never> {
  const [first, ...others] = recorded;
  const shared = {
    revision: 0,
    writing: undefined,
    attempted: 0,
    isStale: false,
    isRetried: false,
    isClosed: false,
    closers: [],
    idlers: [],
  };
  const entries = (items: readonly Item[]) =>
    items.map((item) => ({ item, status: "ready" as const, isQueued: true, stoppers: [] }));
  return first?.waits
    ? { phase: "waiting", item: first, stoppers: [], line: entries(others), ...shared }
    : { phase: "idle", line: entries(recorded), ...shared };
}

/** The state as reported to the project's activity. */
export function standing(
  state: LineState<unknown, unknown>,
): "run" | "wait" | "run-end" | "runs-over" {
  if (state.phase === "waiting") return "wait";
  if (state.phase === "starting" || (state.phase === "running" && !state.hasEnded)) return "run";
  if (state.line.length > 0) return "run";
  return state.phase === "running" ? "run-end" : "runs-over";
}

/** Messages to give to the run before its next step. */
export function steerable<Item extends Message>(state: LineState<Item, unknown>): Item[] {
  if (state.phase !== "running" || state.hasEnded) return [];
  return state.line.flatMap(({ item, status, removal }) =>
    item.now && status === "ready" && !removal ? [item] : [],
  );
}

/**
 * The next state after an event, and what has to be done. Pure and total: an event that is impossible in a state
 * changes nothing.
 */
export function transition<I extends Message, A>(
  state: State<I, A>,
  event: LineEvent<I, A>,
): Moved<I, A> {
  const step = apply(state, event);
  return settle(step.state, [...step.effects]);
}

const unchanged = <I, A>(state: State<I, A>, ...effects: LineEffect<I, A>[]): Moved<I, A> => ({
  state,
  effects,
});

const answer = (caller: Caller, value: boolean): LineEffect<never, never> => ({
  type: "answer",
  callers: [caller],
  value,
});

function apply<I extends Message, A>(state: State<I, A>, event: LineEvent<I, A>): Moved<I, A> {
  switch (event.type) {
    case "add": {
      const { item, caller } = event;
      const revision = state.revision + 1;
      const entry: Entry<I> = {
        item,
        status: "arriving",
        isQueued: "item" in state || state.line.some(({ removal }) => !removal),
        arrival: { caller, revision },
        stoppers: [],
      };
      return unchanged({ ...state, revision, line: [...state.line, entry] });
    }
    case "remove":
    case "hurry":
      return change(state, event);
    case "stop":
      return stop(state, event.caller);
    case "close": {
      const closers = [...state.closers, event.caller];
      const closed = { ...state, isClosed: true, closers };
      if (closed.phase === "starting") return unchanged({ ...closed, abort: "server-stops" });
      if (closed.phase !== "running") return unchanged(closed);
      return unchanged(
        { ...closed, abort: "server-stops" },
        { type: "abort", reason: "server-stops" },
      );
    }
    case "idle":
      return unchanged({ ...state, idlers: [...state.idlers, event.caller] });
    case "answer": {
      const given = { answer: event.answer };
      if (state.phase === "waiting")
        return state.isClosed ? unchanged(state) : resume(state, given, undefined);
      if (state.phase === "starting" || (state.phase === "running" && !state.hasEnded))
        return unchanged({ ...state, given });
      return unchanged(state);
    }
    case "recorded":
    case "record-failed":
      return state.writing === event.revision ? afterWrite(state, event) : unchanged(state);
    case "logged":
      return unchanged({
        ...state,
        line: state.line.map((entry) =>
          entry.item.message === event.message && entry.status === "logging"
            ? { ...entry, status: "ready" }
            : entry,
        ),
      });
    case "steered": {
      const taken = steerable(state).map(({ message }) => message);
      const messages = event.messages.filter((message) => taken.includes(message));
      if (messages.length === 0) return unchanged(state);
      return takeOut(state, (entry) => messages.includes(entry.item.message), true);
    }
    case "run-ended":
      return state.phase === "running" ? unchanged({ ...state, hasEnded: true }) : unchanged(state);
    case "run-over":
      return state.phase === "running" ? afterRun(state, event.waits) : unchanged(state);
    case "followed":
      return state.phase === "following"
        ? unchanged({ ...rest(state), phase: "idle" })
        : unchanged(state);
  }
}

/** The fields common to all phases. */
function rest<I, A>(state: State<I, A>) {
  const { line, revision, writing, attempted, isStale, isRetried } = state;
  const { isClosed, closers, idlers } = state;
  return { line, revision, writing, attempted, isStale, isRetried, isClosed, closers, idlers };
}

/** Removes entries from the queue, and answers everyone who waits for them. */
function takeOut<I, A>(
  state: State<I, A>,
  isTaken: (entry: Entry<I>) => boolean,
  hasRun: boolean,
): Moved<I, A> {
  const taken = state.line.filter(isTaken);
  const effects: LineEffect<I, A>[] = [];
  for (const { stoppers, hurry } of taken) {
    if (stoppers.length > 0) effects.push({ type: "answer", callers: stoppers, value: hasRun });
    if (hurry) effects.push(answer(hurry.caller, false));
  }
  const line = state.line.filter((entry) => !isTaken(entry));
  return { state: { ...state, line, revision: state.revision + 1 }, effects };
}

function change<I extends Message, A>(
  state: State<I, A>,
  { type, message, caller }: Extract<LineEvent<I, A>, { type: "remove" | "hurry" }>,
): Moved<I, A> {
  const entry = state.line.find((one) => one.item.message === message);
  const isFree = entry?.status === "ready" && !entry.removal && !entry.hurry;
  if (!isFree) return unchanged(state, answer(caller, false));
  if (type === "hurry") {
    // A planning message is not given to a run that builds.
    const before = "item" in state ? state.item : state.line[0]?.item;
    if (entry.item.mode !== before?.mode) return unchanged(state, answer(caller, false));
    if (entry.item.now) return unchanged(state, answer(caller, true));
  }
  const revision = state.revision + 1;
  const decision = { caller, revision };
  const changed: Entry<I> =
    type === "remove" ? { ...entry, removal: decision } : { ...entry, hurry: decision };
  const line = state.line.map((one) => (one === entry ? changed : one));
  return unchanged({ ...state, line, revision });
}

function stop<I extends Message, A>(state: State<I, A>, caller: Caller): Moved<I, A> {
  switch (state.phase) {
    case "starting": {
      const abort = state.abort ?? "stopped";
      return unchanged({ ...state, abort, stoppers: [...state.stoppers, caller] });
    }
    case "waiting":
      if (state.isClosed) return unchanged(state, answer(caller, true));
      return resume({ ...state, stoppers: [...state.stoppers, caller] }, {}, "stopped");
    case "running":
      if (!state.hasEnded)
        return unchanged(
          {
            ...state,
            abort: state.abort ?? "stopped",
            stoppers: [...state.stoppers, caller],
          },
          { type: "abort", reason: "stopped" },
        );
  }
  // After a run has ended, a stop applies to the next one.
  const next = state.line.find(({ removal }) => !removal);
  if (next) {
    const stoppers = [...next.stoppers, caller];
    const line = state.line.map((one) => (one === next ? { ...one, stoppers } : one));
    return unchanged({ ...state, line });
  }
  if (state.phase === "running")
    return unchanged({ ...state, tooLate: [...state.tooLate, caller] });
  return unchanged(state, answer(caller, false));
}

function begin<I extends Message, A>(
  state: State<I, A>,
  { item, stoppers }: Current<I>,
  resumption: Resumption<A> | undefined,
  abort: Abort | undefined,
): Moved<I, A> {
  const revision = state.revision + 1;
  const started: I = { ...item, started: true, waits: undefined };
  const given = undefined;
  const shared = { ...rest(state), revision };
  return unchanged({
    ...shared,
    phase: "starting",
    startRevision: revision,
    item: started,
    stoppers,
    resumption,
    abort,
    given,
  });
}

const resume = <I extends Message, A>(
  state: State<I, A> & Current<I>,
  resumption: Resumption<A>,
  abort: Abort | undefined,
): Moved<I, A> => begin(state, state, resumption, abort);

function afterRun<I extends Message, A>(
  state: Extract<State<I, A>, { phase: "running" }>,
  waits: boolean,
): Moved<I, A> {
  const { stoppers, tooLate, given, abort } = state;
  const revision = state.revision + 1;
  if (waits && !state.hasEnded) {
    const item: I = { ...state.item, waits: true };
    const waiting = { ...rest(state), phase: "waiting", revision, item, stoppers } as const;
    if (state.isClosed) return unchanged(waiting);
    // A stop or an answer may have arrived just before the run began to wait.
    if (abort) return resume(waiting, {}, abort);
    return given ? resume(waiting, given, undefined) : unchanged(waiting);
  }
  const effects: LineEffect<I, A>[] = [];
  if (stoppers.length > 0) effects.push({ type: "answer", callers: stoppers, value: true });
  if (tooLate.length > 0) effects.push({ type: "answer", callers: tooLate, value: false });
  return { state: { ...rest(state), phase: "ending", revision, endRevision: revision }, effects };
}

/** Handles the end of a write, which decides everything that waited for it. */
function afterWrite<I extends Message, A>(
  state: State<I, A>,
  event: Extract<LineEvent<I, A>, { type: "recorded" | "record-failed" }>,
): Moved<I, A> {
  const { revision } = event;
  const isStale = event.type === "record-failed";
  const written = { ...state, writing: undefined, attempted: revision, isStale };
  const isDecided = (decision: Decision | undefined): decision is Decision =>
    decision !== undefined && decision.revision <= revision;
  return event.type === "recorded"
    ? afterSuccess(written, isDecided)
    : afterFailure(written, isDecided, event.error);
}

type IsDecided = (decision: Decision | undefined) => decision is Decision;

function afterSuccess<I extends Message, A>(state: State<I, A>, isDecided: IsDecided): Moved<I, A> {
  const isRemoved = ({ removal }: Entry<I>) => isDecided(removal);
  const removed = takeOut(state, isRemoved, false);
  const effects = [...removed.effects];
  for (const { item, removal } of state.line)
    if (isDecided(removal))
      effects.push({ type: "log-removal", message: item.message, caller: removal.caller });
  const line = removed.state.line.map((entry): Entry<I> => {
    const { item, arrival, hurry, isQueued } = entry;
    if (isDecided(arrival)) {
      effects.push({ type: "log-message", item, isQueued, caller: arrival.caller });
      return { ...entry, status: "logging", arrival: undefined };
    }
    if (!isDecided(hurry)) return entry;
    effects.push({ type: "log-hurry", message: item.message, caller: hurry.caller });
    return { ...entry, item: { ...item, now: true }, hurry: undefined };
  });
  // The written record already contains all of this.
  return { state: { ...removed.state, line, revision: state.revision }, effects };
}

function afterFailure<I extends Message, A>(
  state: State<I, A>,
  isDecided: IsDecided,
  error: unknown,
): Moved<I, A> {
  const callers = state.line.flatMap(({ arrival, removal, hurry }) =>
    [arrival, removal, hurry].filter(isDecided).map(({ caller }) => caller),
  );
  if (callers.length === 0) return unchanged(state, { type: "report", error });
  const refused = takeOut(state, ({ arrival }) => isDecided(arrival), false);
  const line = refused.state.line.map((entry) => ({
    ...entry,
    removal: isDecided(entry.removal) ? undefined : entry.removal,
    hurry: isDecided(entry.hurry) ? undefined : entry.hurry,
  }));
  // Written again, in case the failed write stored a part of what was refused.
  return {
    state: { ...refused.state, line, revision: state.revision + 1 },
    effects: [...refused.effects, { type: "reject", callers, error }],
  };
}

/** Derives what follows from the state: writes, the next run, answers to waiting callers. */
function settle<I extends Message, A>(
  before: State<I, A>,
  effects: LineEffect<I, A>[],
): Moved<I, A> {
  let state = before;
  const [first] = state.line;
  if (state.phase === "idle" && !state.isClosed && first && isStartable(first)) {
    const { item, stoppers, hurry } = first;
    // The previous run can no longer receive the message.
    if (hurry) effects.push(answer(hurry.caller, false));
    const abort = stoppers.length > 0 ? "stopped" : undefined;
    const begun = { ...state, line: state.line.slice(1) };
    state = begin<I, A>(begun, { item, stoppers }, undefined, abort).state;
  }
  // A run begins and ends once an attempt to record that was made, even if it failed.
  if (state.phase === "starting" && state.startRevision <= state.attempted) {
    const { item, stoppers, given, abort, resumption } = state;
    const shared = rest(state);
    state = {
      ...shared,
      phase: "running",
      item,
      stoppers,
      given,
      abort,
      hasEnded: false,
      tooLate: [],
    };
    effects.push({ type: "run", item, resumption, abort });
  }
  if (state.phase === "ending" && state.endRevision <= state.attempted) {
    state = { ...rest(state), phase: "following" };
    effects.push({ type: "follow" });
  }
  const isAtRest = state.phase === "idle" || state.phase === "waiting";
  if (state.isClosed && isAtRest && state.isStale && !state.isRetried)
    state = { ...state, revision: state.revision + 1, isRetried: true };
  if (state.revision > state.attempted && state.writing === undefined)
    state = write(state, effects);
  return answerAtRest(state, effects);
}

function isStartable({ status, removal, stoppers }: Entry<unknown>): boolean {
  if (removal) return false;
  // A message whose run is to be stopped begins at once, so that the run can be stopped.
  return status === "ready" || (status === "logging" && stoppers.length > 0);
}

function write<I extends Message, A>(state: State<I, A>, effects: LineEffect<I, A>[]): State<I, A> {
  const { revision } = state;
  const line = state.line.flatMap(({ item, removal, hurry }): I[] =>
    removal ? [] : [hurry ? { ...item, now: true } : item],
  );
  const items = "item" in state ? [state.item, ...line] : line;
  effects.push({ type: "record", items, revision });
  return { ...state, writing: revision };
}

function answerAtRest<I extends Message, A>(
  before: State<I, A>,
  effects: LineEffect<I, A>[],
): Moved<I, A> {
  let state = before;
  const { phase, isClosed } = state;
  if (phase !== "idle" && phase !== "waiting") return { state, effects };
  if (isClosed) {
    const stoppers = state.line.flatMap((entry) => entry.stoppers);
    if (stoppers.length > 0) {
      effects.push({ type: "answer", callers: stoppers, value: true });
      state = { ...state, line: state.line.map((entry) => ({ ...entry, stoppers: [] })) };
    }
    if (phase === "waiting" && state.phase === "waiting" && state.stoppers.length > 0) {
      effects.push({ type: "answer", callers: state.stoppers, value: true });
      state = { ...state, stoppers: [] };
    }
    if (state.closers.length > 0 && state.writing === undefined) {
      effects.push({ type: "answer", callers: state.closers, value: true });
      state = { ...state, closers: [] };
    }
  }
  const isIdle = phase === "waiting" || isClosed || state.line.length === 0;
  if (isIdle && state.idlers.length > 0) {
    effects.push({ type: "answer", callers: state.idlers, value: true });
    state = { ...state, idlers: [] };
  }
  return { state, effects };
}
