import { expect, it } from "vitest";
import { checkInterleavings } from "@treadle/protocol/testing";
import { deliveryWorld } from "./delivery-lifecycle.test-support.ts";
import {
  deliveryTransition,
  type DeliveryEvent,
  type DeliveryPhase,
} from "./delivery-lifecycle.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(deliveryWorld);
});

const after = (...events: DeliveryEvent[]) =>
  events.reduce<DeliveryPhase>((phase, event) => deliveryTransition(phase, event).state, "held");

it("sends nothing that the person saw before it was due", () => {
  expect(after("seen", "due")).toBe("dropped");
});

it("goes on with what is already being sent when the person looks", () => {
  expect(after("due", "seen")).toBe("sending");
  expect(after("due", "unreachable", "seen", "due", "accepted")).toBe("delivered");
});
