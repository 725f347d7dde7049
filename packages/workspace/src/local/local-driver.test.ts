import { describe } from "vitest";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

describe("the local driver", () => {
  describeWorkspace({
    createDriver: (folder) => createLocalDriver({ cacheDirectory: folder, env: process.env }),
  });
});
