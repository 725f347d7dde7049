import { checkInterleavings } from "@treadle/protocol/testing";
import { it } from "vitest";
import { supervisorWorld } from "./supervisor-lifecycle.test-support.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(supervisorWorld);
});
