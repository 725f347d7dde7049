import { createLocalDriver, makeAttempt, openAttackPlace } from "@treadle/workspace";
import { expect, it } from "vitest";
import { toolAttempts } from "./tool-attacks.ts";

it(
  "A18 A27 A31 A33 A36 A37 A41 attacks by a tool server in a project's sandbox fail",
  { timeout: 120_000 },
  async () => {
    const { place, workspace, close } = await openAttackPlace((cacheDirectory, env) =>
      createLocalDriver({ cacheDirectory, env }),
    );
    try {
      for (const attempt of toolAttempts(place)) {
        const { outcome, output } = await makeAttempt(attempt, workspace);
        expect.soft(outcome, `${attempt.id} ${attempt.what}: ${output}`).toBe("held");
      }
    } finally {
      await close();
    }
  },
);
