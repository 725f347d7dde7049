import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAttackPlace } from "../attacks/attack-place.ts";
import { makeAttempt } from "../attacks/attempt.ts";
import { openMakerPlace } from "../attacks/maker-place.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

const create = (cacheDirectory: string, env: NodeJS.ProcessEnv) =>
  createLocalDriver({ cacheDirectory, env });

describe("attacks by an install script in the sandbox where shared dependencies are prepared", () => {
  let opened: Awaited<ReturnType<typeof openAttackPlace>>;
  let maker: Awaited<ReturnType<typeof openMakerPlace>>;
  beforeAll(async () => {
    opened = await openAttackPlace(create);
    maker = await openMakerPlace(opened.place, create);
  }, 60_000);
  afterAll(async () => {
    await maker.close();
    await opened.close();
  });

  it("A20 A27 A31 A33 A34 A38 A47 A48 A51 A52 A61 all fail", { timeout: 240_000 }, async () => {
    // Attempts covered by install-scripts.test.ts are left out: they take five more installs.
    const own = maker.attempts.filter(({ what }) => !what.startsWith("another project's code"));
    for (const attempt of own) {
      const { outcome, output } = await makeAttempt(attempt, opened.workspace);
      expect.soft(outcome, `${attempt.id} ${attempt.what}: ${output}`).toBe("held");
    }
  });
});
