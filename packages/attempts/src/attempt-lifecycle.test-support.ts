/**
 * Simulates the environment of an attempt: every effect can fail, and the server can be killed at
 * any time.
 */
import type { Happening, World } from "@treadle/protocol/testing";
import {
  attemptTransition,
  type AttemptEffect,
  type AttemptEvent,
  type AttemptPhase,
} from "./attempt-lifecycle.ts";

type AttemptWorld = World<AttemptPhase, AttemptEvent, AttemptEffect>;

const AT_REST: ReadonlySet<AttemptPhase> = new Set(["held", "merged", "stopped", "failed", "over"]);

export function attemptWorld(): AttemptWorld {
  /** Incremented by a kill, so that interrupted effects send no events. */
  let life = 0;
  let copies = 0;
  let isMerged = false;
  let isUnwanted = false;
  let turn: "none" | "active" | "ended" = "none";
  const underWay = new Set<string>();

  /** Starts an effect that ends with one of its events, unless the server is killed before. */
  function begin(
    name: string,
    ends: readonly (readonly [AttemptEvent, (() => void)?])[],
  ): Happening<AttemptEvent>[] {
    if (underWay.has(name)) throw new Error(`${name} twice at once`);
    underWay.add(name);
    const begun = life;
    return ends.map(([event, act]) => () => {
      if (begun !== life) return undefined;
      underWay.delete(name);
      act?.();
      return event;
    });
  }
  const follow = () => {
    if (turn !== "active") throw new Error("followed without a turn");
    const end = () => void (turn = "ended");
    return begin("follow", [
      ["fits", end],
      ["held", end],
      ["failed", end],
      ["ended", end],
    ]);
  };
  const person =
    (event: AttemptEvent): Happening<AttemptEvent> =>
    () => {
      if (event === "stop") isUnwanted = true;
      if (event === "redo" || event === "take") isUnwanted = false;
      return event;
    };

  function perform(effect: AttemptEffect): readonly Happening<AttemptEvent>[] {
    switch (effect) {
      case "make":
        if (isUnwanted) throw new Error("made although it was stopped");
        if (copies > 0) throw new Error("made a second copy");
        turn = "none";
        copies++;
        return begin("make", [["made"], ["failed"]]);
      case "ask":
        if (isUnwanted) throw new Error("asked although it was stopped");
        return begin("ask", [["asked", () => void (turn = "active")], ["failed"]]);
      case "resume":
        if (isUnwanted) throw new Error("continued although it was stopped");
        return follow();
      case "follow":
        return follow();
      case "merge":
        if (turn !== "ended") throw new Error("merged before its turn ended");
        if (isMerged) throw new Error("merged twice");
        return begin("merge", [["merged", () => void (isMerged = true)], ["held"]]);
      case "remove":
        copies = 0;
        return [];
      case "clear":
        if (!isMerged) throw new Error("cleared before it was merged");
        copies = 0;
        return [];
      case "halt":
      case "cease":
        return [];
    }
  }
  return {
    initial: "waiting",
    transition: attemptTransition,
    perform,
    offers: () => [
      person("place"),
      person("stop"),
      person("redo"),
      person("take"),
      () => {
        life++;
        underWay.clear();
        return "restart";
      },
    ],
    check(phase) {
      if (phase !== "waiting" && !AT_REST.has(phase) && underWay.size === 0)
        throw new Error(`${phase} waits for nothing`);
    },
    closing: [person("place"), person("stop")],
    checkAtEnd(phase) {
      if (!AT_REST.has(phase)) throw new Error("not at rest at the end");
    },
    anyEvents: [
      "place",
      "made",
      "asked",
      "failed",
      "ended",
      "fits",
      "held",
      "merged",
      "stop",
      "take",
      "redo",
      "restart",
    ],
  };
}
