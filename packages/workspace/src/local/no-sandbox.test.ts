import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { runsOnThisMachine } from "../contract/helpers.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

describe("without a sandbox", () => {
  describeWorkspace({
    createDriver: (folder) =>
      createLocalDriver({ cacheDirectory: folder, env: process.env, unsafeNoSandbox: true }),
    // The guest handles these alone, without a sandbox around it. Nothing else prevents a path or
    // link from leading outside, so these areas are tested here too.
    alike: {
      source: "local",
      areas: ["manyFiles", "search", "changes", "keptHistory", "dataFiles", "fullDisk"],
    },
    lacks: {
      W37: "the host's processes are not ours to end",
      W98: "would end the host's processes",
      W36: "counts processes of the whole machine",
      W45: "counts processes of the whole machine",
      W145: "what hides where it comes from cannot be told from what is not ours",
      W115: "what runs here runs as the person anyway",
    },
  });

  it("W97 ends what was started also when its guest was killed before it could", async () => {
    const folder = mkdtempSync(join(tmpdir(), "treadle-guest-killed-"));
    const seconds = 7_000_000 + process.pid;
    const driver = createLocalDriver({
      cacheDirectory: join(folder, "cache"),
      env: process.env,
      unsafeNoSandbox: true,
    });
    try {
      const workspace = await driver.open({
        project: "killed",
        directory: join(folder, "files"),
        stateDirectory: join(folder, "state"),
      });
      const begun = Promise.withResolvers<unknown>();
      const running = workspace.run(`setsid sleep ${seconds} & echo begun; wait`, {
        onOutput: begun.resolve,
      });
      const settled = running.catch(() => undefined);
      await begun.promise;
      process.kill(guestIn(folder), "SIGKILL");
      await settled;
      expect(runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(false);
    } finally {
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The pid of the guest of a workspace in this folder. */
function guestIn(folder: string): number {
  const found = readdirSync("/proc").filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "latin1");
      return words.includes("guest.mjs") && words.includes(join(folder, "files"));
    } catch {
      return false;
    }
  });
  expect(found).toHaveLength(1);
  return Number(found[0]);
}
