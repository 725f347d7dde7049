import { expect, it } from "vitest";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { fuzzGuest } from "./hostile-host.ts";

ensureGuest();

it(
  "A48 a guest answers each question once, however odd, and noise ends it in good order",
  { timeout: 120_000 },
  async () => {
    for (const seed of [1, 2, 3])
      expect((await fuzzGuest(seed, 120)).problem, `seed ${seed}`).toBeUndefined();
  },
);
