import { describe } from "vitest";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { MemoryDriver, MemoryWorkspace } from "./memory-workspace.test-support.ts";

describe("an in-memory workspace", () => {
  describeWorkspace({
    createDriver: () =>
      new MemoryDriver(
        (_options, contents, checkpoints) => new MemoryWorkspace(contents, checkpoints),
      ),
    only: {
      ids: "W1 W2 W3 W4 W5 W6 W7 W9 W10 W11 W12 W18 W19 W21 W22 W23 W26 W27 W58 W80 W84 W85 W86 W87 W170 W90 W132 W144 W180 W181 W182".split(
        " ",
      ),
      reason: "there are no processes, no links and no disk in memory",
    },
  });
});
