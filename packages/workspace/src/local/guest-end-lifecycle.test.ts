import { checkInterleavings } from "@treadle/protocol/testing";
import { it } from "vitest";
import { guestEndWorld } from "./guest-end-lifecycle.test-support.ts";

it("nothing that a guest started outlives its end, in random interleavings", () => {
  checkInterleavings(guestEndWorld);
});
