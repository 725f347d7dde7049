import { describe } from "vitest";
import { describeWorkspace } from "../contract.test-support.ts";
import { createLocalDriver } from "./driver.ts";

describe("the local driver", () => {
  describeWorkspace({
    createDriver: (folder) => createLocalDriver({ cacheDirectory: folder, env: process.env }),
  });
});
