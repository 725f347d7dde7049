import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { describeAttacks } from "../attacks/describe-attacks.test-support.ts";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { describeWaysOut } from "../contract/describe-ways-out.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { BUILD_MS, buildImage, createTestDriver, findEngine } from "./engine.test-support.ts";

const missing = await findEngine();

if (missing !== undefined) {
  // Printed, so that a run without these tests is not mistaken for a complete one.
  process.stderr.write(`docker driver: skipped, since ${missing}\n`);
  it("the docker driver", ({ skip }) => skip(missing));
} else {
  ensureGuest();
  describe("the docker driver", () => {
    const folder = mkdtempSync(join(tmpdir(), "treadle-docker-"));
    beforeAll(() => buildImage(folder), BUILD_MS);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    describeWorkspace({ createDriver: (cacheDirectory) => createTestDriver({ cacheDirectory }) });
    describeAttacks((cacheDirectory, env) => createTestDriver({ cacheDirectory, env }));
    describe("its ways out", () => describeWaysOut(createTestDriver));
  });
}
