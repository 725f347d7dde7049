import type { Happening, World } from "@treadle/protocol/testing";
import {
  guestEndTransition,
  type GuestEndEffect,
  type GuestEndEvent,
  type GuestEndPhase,
} from "./guest-end-lifecycle.ts";

const EVENTS: readonly GuestEndEvent[] = ["leave", "kill", "overdue", "exited", "swept"];

/** Simulates a guest that starts processes until it exits, obeys or hangs, and may be killed before it has ended them. */
export function guestEndWorld(): World<GuestEndPhase, GuestEndEvent, GuestEndEffect> {
  let isAlive = true;
  let processes = 0;
  let released = 0;

  const exit = (left: number): GuestEndEvent | undefined => {
    if (!isAlive) return undefined;
    isAlive = false;
    processes = left;
    return "exited";
  };

  function perform(effect: GuestEndEffect): Happening<GuestEndEvent>[] {
    switch (effect) {
      case "ask-to-leave":
        return [() => exit(0), () => exit(processes), () => "overdue"];
      case "kill":
        return [() => exit(processes)];
      case "sweep":
        if (isAlive) throw new Error("processes are looked for while the guest may start more");
        return [
          () => {
            processes = 0;
            return "swept";
          },
        ];
      case "release":
        if (processes > 0) throw new Error(`${processes} processes outlive the guest`);
        if (++released > 1) throw new Error("released twice");
        return [];
    }
  }

  return {
    initial: "running",
    transition: guestEndTransition,
    perform,
    offers: () => [
      () => "leave",
      () => "kill",
      ...(isAlive ? [() => void processes++, () => exit(processes)] : []),
    ],
    closing: [() => "leave"],
    checkAtEnd(phase) {
      if (phase !== "gone" || released !== 1) throw new Error(`it never ends: ${phase}`);
    },
    anyEvents: EVENTS,
  };
}
