import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, vi } from "vitest";
import { describeCopies } from "../contract/copies.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { BUILD_MS, buildImage, createTestDriver, findEngine } from "./engine.test-support.ts";

const missing = await findEngine();
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(missing !== undefined)("copies in containers", () => {
  if (missing === undefined) ensureGuest();
  const folder = mkdtempSync(join(tmpdir(), "treadle-docker-copies-"));
  beforeAll(() => buildImage(folder), BUILD_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  describeCopies((cacheDirectory) => createTestDriver({ cacheDirectory }));
});
