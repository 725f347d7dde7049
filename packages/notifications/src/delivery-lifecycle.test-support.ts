/** The world around a delivery, in which every attempt can fail and the person can look at the page at any time. */
import type { Happening, World } from "@treadle/protocol/testing";
import {
  deliveryTransition,
  isDone,
  type DeliveryEffect,
  type DeliveryEvent,
  type DeliveryPhase,
} from "./delivery-lifecycle.ts";

const ATTEMPTS = 4;

export function deliveryWorld(): World<DeliveryPhase, DeliveryEvent, DeliveryEffect> {
  let phase: DeliveryPhase = "held";
  let attempts = 0;
  let records = 0;
  let isEnded = false;
  /** What is in progress: first the time for which the notification is held. */
  let current: object | undefined = {};
  const hold = current;

  const whileCurrent =
    (one: object, event: DeliveryEvent): Happening<DeliveryEvent> =>
    () => {
      if (current !== one) return undefined;
      current = undefined;
      return event;
    };
  function begin(...events: DeliveryEvent[]): Happening<DeliveryEvent>[] {
    if (current) throw new Error("two things at once");
    if (isEnded) throw new Error("goes on after its end");
    const one = (current = {});
    return events.map((event) => whileCurrent(one, event));
  }

  function perform(effect: DeliveryEffect): readonly Happening<DeliveryEvent>[] {
    switch (effect) {
      case "send":
        attempts++;
        if (attempts > ATTEMPTS) throw new Error("too many attempts");
        return attempts === ATTEMPTS
          ? begin("accepted", "refused")
          : begin("accepted", "unreachable", "refused");
      case "pause":
        return begin("due");
      case "record":
        records++;
        return [];
      case "abort":
        current = undefined;
        return [];
    }
  }
  return {
    initial: "held",
    transition: deliveryTransition,
    perform,
    offers: () => [whileCurrent(hold, "due"), () => "seen", () => "cancel"],
    check(next) {
      phase = next;
      isEnded = isDone(phase);
      if (isEnded === (current !== undefined)) throw new Error(`${phase} waits for nothing`);
      if (records !== (phase === "delivered" || phase === "failed" ? 1 : 0))
        throw new Error(`recorded ${records} times in ${phase}`);
    },
    closing: [() => "cancel"],
    checkAtEnd(last) {
      if (!isDone(last)) throw new Error("not at rest at the end");
    },
    anyEvents: ["due", "seen", "accepted", "unreachable", "refused", "cancel"],
  };
}
