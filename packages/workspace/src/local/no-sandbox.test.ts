import { describe } from "vitest";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
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
});
