/**
 * Simulates a record whose writes may fail, runs that end or wait, and a person who may do anything
 * at any time.
 */
import type { LogEvent } from "@treadle/protocol";
import { activityOf, createLogFold, NO_USAGE } from "@treadle/protocol/fold";
import type { Happening, World } from "@treadle/protocol/testing";
import {
  initialLine,
  standing,
  steerable,
  transition,
  type Caller,
  type LineEffect,
  type LineEvent,
  type LineState,
  type Message,
} from "./run-lifecycle.ts";

type State = LineState<Message, string>;
type Event = LineEvent<Message, string>;
type Effect = LineEffect<Message, string>;

/** The outcome of a message. */
type Fate =
  | "asked"
  | "accepted"
  | "refused"
  | "removed"
  | "steered"
  | "running"
  | "waiting"
  | "ran";

/** @param recorded number of messages that a restart found in the record */
export function lineWorld(recorded = 0): World<State, Event, Effect> {
  const fates = new Map<string, Fate>();
  const unanswered = new Map<Caller, { kind: string; message?: string }>();
  const begun: string[] = [];
  let record: readonly Message[] = Array.from({ length: recorded }, (_, index) => {
    fates.set(`r${index}`, "accepted");
    return { message: `r${index}`, started: false };
  });
  let writing = false;
  /** The items of the last write that has ended, whether or not it succeeded. */
  let attempted = record;
  let running: { message: string; hasEnded: boolean } | undefined;
  let isFollowing = false;
  let calls = 0;
  let messages = 0;
  let isClosed = false;
  const initial = initialLine(record);
  /** The state that readers of the log see. */
  const log = createLogFold();
  const append = (event: LogEvent) => log.add(event, 0);
  const appendMessage = (message: string, queued: boolean) =>
    append({ type: "message", message, role: "user", text: "", queued });
  const appendEnd = (run: string) =>
    append({ type: "run-end", run, outcome: "done", summary: "", revision: "", steps: 0, usage: NO_USAGE, ms: 0 }); // prettier-ignore
  for (const { message } of record) appendMessage(message, true);

  const withFate = (...expected: Fate[]) =>
    [...fates].flatMap(([message, fate]) => (expected.includes(fate) ? [message] : []));
  function call(kind: string, message?: string): Caller {
    unanswered.set(++calls, message === undefined ? { kind } : { kind, message });
    return calls;
  }
  function answered(caller: Caller): { kind: string; message?: string } {
    const call = unanswered.get(caller);
    if (!call) throw new Error(`caller ${caller} was answered twice`);
    unanswered.delete(caller);
    return call;
  }

  function perform(effect: Effect): Happening<Event>[] {
    switch (effect.type) {
      case "record": {
        const { items, revision } = effect;
        if (writing) throw new Error("two writes at once");
        writing = true;
        const written = (isWritten: boolean, event: Event) => () => {
          writing = false;
          attempted = items;
          if (isWritten) record = items;
          return event;
        };
        return [
          written(true, { type: "recorded", revision }),
          written(false, { type: "record-failed", revision, error: "the disk is full" }),
        ];
      }
      case "log-message": {
        const { item, caller } = effect;
        const { message } = item;
        if (fates.get(message) !== "asked") throw new Error(`${message} is accepted twice`);
        fates.set(message, "accepted");
        appendMessage(message, effect.isQueued);
        return [
          () => {
            answered(caller);
            return { type: "logged", message };
          },
        ];
      }
      case "log-removal":
        if (fates.get(effect.message) !== "accepted") throw new Error("removed what has begun");
        if (record.some(({ message }) => message === effect.message))
          throw new Error("confirmed a removal that is not recorded");
        fates.set(effect.message, "removed");
        append({ type: "message-removed", message: effect.message });
        answered(effect.caller);
        return [];
      case "log-hurry":
        answered(effect.caller);
        return [];
      case "run": {
        const { item, resumption } = effect;
        const { message } = item;
        if (running) throw new Error("two run at once");
        if (!attempted.some((one) => one.message === message && one.started))
          throw new Error(`${message} runs and was never recorded as begun`);
        if (isFollowing) throw new Error("runs while the one before it is followed up");
        const fate = fates.get(message);
        if (fate !== (resumption ? "waiting" : "accepted"))
          throw new Error(`${message} runs although it is ${fate}`);
        fates.set(message, "running");
        running = { message, hasEnded: false };
        if (resumption)
          append({ type: "answer", run: message, question: "q", answer: { kind: "words", text: "" } }); // prettier-ignore
        else {
          begun.push(message);
          append({ type: "run-start", run: message, message, model: "x:y", dialect: "native" });
        }
        const ended = (waits: boolean) => () => {
          const isWaiting = waits && !running?.hasEnded;
          fates.set(message, isWaiting ? "waiting" : "ran");
          if (isWaiting)
            append({ type: "question", run: message, question: { kind: "words", id: "q", call: "c", text: "", choices: [] } }); // prettier-ignore
          else if (!running?.hasEnded) appendEnd(message);
          running = undefined;
          return { type: "run-over" as const, waits };
        };
        return [ended(false), ended(true)];
      }
      case "abort":
        if (!running) throw new Error("aborted what does not run");
        return [];
      case "follow":
        isFollowing = true;
        return [
          () => {
            isFollowing = false;
            return { type: "followed" };
          },
        ];
      case "answer":
        for (const caller of effect.callers) answered(caller);
        return [];
      case "reject":
        for (const caller of effect.callers) {
          const { kind, message = "" } = answered(caller);
          if (kind === "add") fates.set(message, "refused");
        }
        return [];
      case "report":
        return [];
    }
  }

  const add = (now: boolean) => (): Event => {
    const message = `m${++messages}`;
    fates.set(message, "asked");
    const item = { message, started: false, ...(now ? ({ now: true } as const) : {}) };
    return { type: "add", item, caller: call("add", message) };
  };
  const about = (type: "remove" | "hurry", message: string) => (): Event => ({
    type,
    message,
    caller: call(type),
  });
  const ask = (type: "stop" | "idle" | "close") => (): Event => {
    if (type === "close") isClosed = true;
    return { type, caller: call(type) };
  };

  return {
    initial,
    transition,
    perform,
    offers(state) {
      const some = withFate("accepted").slice(-2);
      return [
        add(false),
        add(false),
        ...(messages > 1 ? [add(true)] : []),
        ask("stop"),
        ...some.flatMap((message) => [about("remove", message), about("hurry", message)]),
        ...(messages > 0 ? [(): Event => ({ type: "answer", answer: "yes" })] : []),
        ...(running && !running.hasEnded
          ? [
              (): Event => {
                running!.hasEnded = true;
                appendEnd(running!.message);
                return { type: "run-ended" };
              },
              (): Event => {
                const taken = steerable(state).map(({ message }) => message);
                for (const message of taken) {
                  fates.set(message, "steered");
                  append({ type: "message-taken", run: running!.message, message });
                }
                return { type: "steered", messages: taken };
              },
            ]
          : []),
        ...(calls > 4 ? [ask("idle")] : []),
        ...(calls > 10 ? [ask("close")] : []),
      ];
    },
    check(state) {
      if (state.phase === "waiting" && state.stoppers.length > 0)
        throw new Error("whoever stopped the run waits for the person");
      const inRecord = new Set(record.map(({ message }) => message));
      for (const message of withFate("accepted"))
        if (!inRecord.has(message)) throw new Error(`${message} was accepted and is lost`);
      const order = begun.map((message) => [...fates.keys()].indexOf(message));
      if (order.some((place, index) => index > 0 && place < order[index - 1]!))
        throw new Error("runs are out of order");
      const logged = activityOf(log.state);
      const isActive = withFate("accepted", "running", "waiting").some(
        (message) => message !== running?.message || !running.hasEnded,
      );
      if ((logged !== "idle") !== isActive)
        throw new Error(
          `the log says ${logged}, and ${isActive ? "something" : "nothing"} is in line`,
        );
      if (logged === "waiting" && withFate("waiting").length === 0)
        throw new Error("the log asks the person, and nothing waits for them");
      if (running && !["run", "run-end"].includes(standing(state)))
        throw new Error(`stands as ${standing(state)} while a run goes on`);
    },
    // Everything accepted runs; what waits for the person is stopped; then nothing begins any more.
    closing: [add(false), ask("stop"), ask("idle"), ask("close"), add(false)],
    checkAtEnd(state) {
      if (unanswered.size > 0)
        throw new Error(`${[...unanswered.values()].map(({ kind }) => kind).join()} unanswered`);
      const inRecord = new Set(record.map(({ message }) => message));
      for (const message of withFate("refused", "removed", "steered", "ran"))
        if (inRecord.has(message)) throw new Error(`${message} would run again after a restart`);
      for (const message of withFate("waiting"))
        if (!inRecord.has(message)) throw new Error(`${message} waits and is not recorded`);
      if (running || isFollowing || writing) throw new Error("something still goes on");
      if (!isClosed || !state.isClosed) throw new Error("not closed at the end");
    },
    anyEvents: [
      { type: "recorded", revision: 1 },
      { type: "record-failed", revision: 1, error: "" },
      { type: "logged", message: "m1" },
      { type: "run-ended" },
      { type: "run-over", waits: true },
      { type: "run-over", waits: false },
      { type: "followed" },
      { type: "steered", messages: ["m1"] },
      { type: "answer", answer: "no" },
      { type: "stop", caller: 0 },
      { type: "close", caller: 0 },
      { type: "remove", message: "m1", caller: 0 },
      { type: "hurry", message: "m1", caller: 0 },
    ],
  };
}
