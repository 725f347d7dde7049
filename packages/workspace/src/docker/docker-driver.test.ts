import { describe, it } from "vitest";
import { describeAttacks } from "../attacks/describe-attacks.test-support.ts";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { ensureGuest } from "../local/built-guest.test-support.ts";
import { createDockerDriver } from "./driver.ts";
import { findEngine } from "./engine.test-support.ts";

const missing = await findEngine();

if (missing !== undefined) {
  // Said aloud: a run without these must not be taken for one with them.
  process.stderr.write(`docker driver: skipped, since ${missing}\n`);
  it("the docker driver", ({ skip }) => skip(missing));
} else {
  ensureGuest();
  const createDriver = (cacheDirectory: string, env = process.env) =>
    createDockerDriver({ cacheDirectory, env, buildNetwork: "host" });
  describe("the docker driver", () => {
    describeWorkspace({ createDriver: (folder) => createDriver(folder) });
    describeAttacks(createDriver);
  });
}
