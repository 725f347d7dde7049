import { expect, it } from "vitest";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { fuzzGuest } from "./hostile-host.ts";

ensureGuest();

it(
  "A48 a guest answers each malformed request once, and exits cleanly on noise",
  { timeout: 120_000 },
  async () => {
    for (const seed of [1, 2, 3])
      expect((await fuzzGuest(seed, 120)).problem, `seed ${seed}`).toBeUndefined();
  },
);
