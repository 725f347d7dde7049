/**
 * Simulates processes that start, respond, crash and are ended, while people request servers at any
 * time.
 */
import type { Happening, World } from "@treadle/protocol/testing";
import {
  MAX_RESTARTS,
  NO_SERVER,
  STEADY_MS,
  transition,
  type Caller,
  type SupervisorEffect,
  type SupervisorEvent,
  type SupervisorState,
} from "./supervisor-lifecycle.ts";

type State = SupervisorState<number, undefined>;
type Event = SupervisorEvent<number, undefined>;
type Effect = SupervisorEffect<number, undefined>;

export function supervisorWorld(): World<State, Event, Effect> {
  /** Running processes, and whether the supervisor has to end them. */
  const alive = new Map<number, "own" | "command">();
  const unanswered = new Map<Caller, "start" | "stop" | "adopt">();
  /** Commands offered for adoption; adopted if the caller is answered accordingly. */
  const candidates = new Map<Caller, number>();
  let processes = 0;
  let calls = 0;
  let now = 0;
  let announced: string | undefined;
  /** Crashes since the last request of a person, or since the server was steady. */
  let restarts = 0;
  let watched: number | undefined;

  const begin = (owner: "own" | "command") => {
    alive.set(++processes, owner);
    return processes;
  };
  const own = () => [...alive].flatMap(([process, owner]) => (owner === "own" ? [process] : []));

  function settle(callers: readonly Caller[], isAdopted: boolean): void {
    for (const caller of callers) {
      if (!unanswered.delete(caller)) throw new Error(`caller ${caller} was answered twice`);
      const process = candidates.get(caller);
      if (isAdopted && process !== undefined && alive.has(process)) alive.set(process, "own");
    }
  }

  function perform(effect: Effect): Happening<Event>[] {
    switch (effect.type) {
      case "announce":
        announced = JSON.stringify(effect.server);
        return [];
      case "clear": {
        const { process, target } = effect;
        if (watched === process) watched = undefined;
        const end = () => void (process !== undefined && alive.delete(process));
        return [
          () => {
            end();
            return { type: "cleared" };
          },
          ...(target?.kind === "start"
            ? [
                (): Event => {
                  end();
                  return { type: "cleared", ready: begin("own") };
                },
              ]
            : []),
          () => ({ type: "clear-failed", error: "the guest does not answer" }),
        ];
      }
      case "launch": {
        const { ready } = effect;
        const others = own().filter((process) => process !== ready);
        if (others.length > 0) throw new Error("started although another server runs");
        return ready === undefined
          ? [
              () => ({ type: "launched", process: begin("own") }),
              () => ({ type: "launch-failed", error: "no room", message: "no room" }),
            ]
          : [() => ({ type: "launched", process: ready })];
      }
      case "watch":
        if (watched !== undefined) throw new Error("two are watched");
        watched = effect.process;
        return [];
      case "follow-ports":
        return [];
      case "sleep":
        if (++restarts > MAX_RESTARTS) throw new Error("started again too often");
        return [() => ({ type: "slept", process: effect.process })];
      case "answer":
        settle(effect.callers, effect.isAdopted);
        return [];
      case "reject":
        settle(effect.callers, false);
        return [];
    }
  }

  const ask = (kind: "start" | "stop") => (): Event => {
    unanswered.set(++calls, kind);
    restarts = 0;
    return kind === "stop"
      ? { type: "stop", caller: calls }
      : { type: "start", job: { command: `server ${calls}`, how: undefined }, caller: calls };
  };
  /** A running command turns out to be a server. */
  const adopt = (): Event => {
    unanswered.set(++calls, "adopt");
    restarts = 0;
    const process = begin("command");
    candidates.set(calls, process);
    const job = { command: `command ${calls}`, how: undefined };
    return { type: "adopt", job, caller: calls, process, ports: [1], since: 0, at: now };
  };
  const crash = (process: number, after: number) => (): Event => {
    alive.delete(process);
    now += after;
    if (after >= STEADY_MS) restarts = 0;
    if (watched === process) watched = undefined;
    return { type: "ended", process, code: 1, tail: "", at: now };
  };
  const lose = (): Event => {
    alive.clear();
    watched = undefined;
    return { type: "lost" };
  };

  return {
    initial: NO_SERVER,
    transition,
    perform,
    offers(state) {
      const some = [...alive.keys()].slice(-2);
      const process = watched ?? some[0] ?? 0;
      const answered: Event = { type: "answered", process, ports: [2], since: 0, at: now };
      return [
        ask("start"),
        ask("stop"),
        ask("start"),
        ...(calls > 2 ? [adopt] : []),
        ...(state.phase === "running"
          ? [
              () => answered,
              crash(process, 1),
              crash(process, STEADY_MS),
              (): Event => ({ type: "watcher-waits", process, tail: "" }),
              (): Event => ({ type: "waited", process, ports: [3], tail: "" }),
              (): Event => ({ type: "aborted", process }),
              (): Event => ({ type: "ports", process, ports: [2, 3] }),
              (): Event => ({ type: "show-port", port: 3 }),
            ]
          : some.map((one) => crash(one, 1))),
        ...(calls > 3 ? [lose] : []),
      ];
    },
    check(state) {
      const known = new Set<number | undefined>();
      if ("process" in state) known.add(state.process);
      if (state.phase === "idle") known.add(state.last);
      for (const process of own())
        if (!known.has(process)) throw new Error(`process ${process} was forgotten`);
      if (announced !== undefined && announced !== JSON.stringify(state.server))
        throw new Error(`announced ${announced}`);
    },
    // Whatever failed before, a server can be started, and is gone after a stop.
    closing: [ask("start"), ask("stop")],
    checkAtEnd(state) {
      if (unanswered.size > 0) throw new Error(`${[...unanswered.values()].join()} unanswered`);
      if (own().length > 0) throw new Error("a process outlives the stop");
      if (state.phase !== "idle") throw new Error("not idle at the end");
      if (state.server?.state === "up" || state.server?.state === "starting")
        throw new Error("announced as running at the end");
    },
    anyEvents: [
      { type: "cleared", ready: 0 },
      { type: "clear-failed", error: "" },
      { type: "launched", process: 0 },
      { type: "launch-failed", error: "", message: "" },
      { type: "answered", process: 0, ports: [], since: 0, at: 0 },
      { type: "slept", process: 0 },
      { type: "ended", process: 0, code: 0, tail: "", at: 0 },
      { type: "lost" },
      { type: "aborted", process: 0 },
      { type: "show-port", port: 1 },
      { type: "stop", caller: 0 },
    ],
  };
}
