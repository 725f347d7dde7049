/** Simulates a server that starts, dies and is requested at any time. */
import type {
  Happening,
  World,
} from "../../../../protocol/src/lifecycle/interleavings.test-support.ts";
import {
  NO_POSTGRES,
  serverTransition,
  type Caller,
  type ServerEffect,
  type ServerEvent,
  type ServerState,
} from "./server-lifecycle.ts";

export function serverWorld(): World<ServerState, ServerEvent, ServerEffect> {
  const unanswered = new Map<Caller, "ask" | "close">();
  let calls = 0;
  let leases = 0;
  let isPrepared = false;
  let isUp = false;
  let isStopping = false;
  let isClosed = false;

  const call = (type: "ask" | "close") => () => {
    unanswered.set(++calls, type);
    if (type === "close") isClosed = true;
    return { type, caller: calls };
  };
  function answer(callers: readonly Caller[], type: "ask" | "close"): void {
    for (const caller of callers) {
      if (unanswered.get(caller) !== type) throw new Error(`caller ${caller} got a wrong answer`);
      unanswered.delete(caller);
    }
  }
  function perform(effect: ServerEffect): Happening<ServerEvent>[] {
    switch (effect.type) {
      case "prepare":
        if (isUp) throw new Error("prepared while a server runs");
        if (isClosed) throw new Error("prepared after the end");
        return [
          () => {
            isPrepared = true;
            return { type: "prepared" };
          },
          () => ({ type: "prepare-failed", error: "offline" }),
        ];
      case "start":
        if (isUp) throw new Error("two servers");
        if (!isPrepared) throw new Error("started unprepared");
        return [
          () => {
            isUp = true;
            return { type: "started" };
          },
          () => ({ type: "start-failed", error: "no room" }),
        ];
      case "stop":
        if (leases > 0 && !isClosed) throw new Error("stopped while it is used");
        if (isStopping) throw new Error("stopped twice at once");
        isStopping = true;
        return [
          () => {
            isUp = false;
            isStopping = false;
            return { type: "stopped" };
          },
        ];
      case "grant":
        if (!isUp || isStopping) throw new Error("granted a server that is not up");
        answer(effect.callers, "ask");
        leases += effect.callers.length;
        return [];
      case "refuse":
        answer(effect.callers, "ask");
        return [];
      case "confirm":
        if (isUp) throw new Error("confirmed the end of a server that runs");
        answer(effect.callers, "close");
        return [];
      case "await-idle":
        return [() => ({ type: "idle" })];
      case "await-retry":
        return [() => ({ type: "retry" })];
    }
  }
  return {
    initial: NO_POSTGRES,
    transition: serverTransition,
    perform,
    offers: () => [
      call("ask"),
      call("ask"),
      ...(calls > 8 ? [call("close")] : []),
      ...(leases > 0
        ? [
            (): ServerEvent => {
              leases--;
              return { type: "give-back" };
            },
          ]
        : []),
      ...(isUp && !isStopping
        ? [
            (): ServerEvent => {
              isUp = false;
              return { type: "ended" };
            },
          ]
        : []),
    ],
    check(state) {
      if (state.leases !== leases) throw new Error("leases were miscounted");
      if (isUp && (state.phase === "absent" || state.phase === "failed"))
        throw new Error("a server is forgotten");
    },
    closing: [call("ask"), call("close"), call("close"), call("ask")],
    checkAtEnd(state) {
      if (unanswered.size > 0) throw new Error("somebody was not answered");
      if (isUp || state.phase !== "absent") throw new Error("something runs after the end");
    },
    anyEvents: [
      { type: "prepared" },
      { type: "prepare-failed", error: "" },
      { type: "started" },
      { type: "start-failed", error: "" },
      { type: "stopped" },
      { type: "ended" },
      { type: "idle" },
      { type: "retry" },
      { type: "give-back" },
      { type: "ask", caller: 0 },
      { type: "close", caller: 0 },
    ],
  };
}
