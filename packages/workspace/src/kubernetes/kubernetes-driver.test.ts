import { describe, it } from "vitest";
import { describeAttacks } from "../attacks/describe-attacks.test-support.ts";
import { describeWaysOut } from "../contract/describe-ways-out.test-support.ts";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { createTestDriver, noCluster } from "./cluster.test-support.ts";

if (noCluster !== undefined) {
  // Printed, so that a run without these tests is not mistaken for a complete one.
  process.stderr.write(`kubernetes driver: skipped, since ${noCluster}\n`);
  it("the kubernetes driver", ({ skip }) => skip(noCluster));
} else
  describe("the kubernetes driver", () => {
    const mounts = "a node's kubelet does not see what a test mounts on its machine";
    describeWorkspace({
      createDriver: (cacheDirectory) => createTestDriver({ cacheDirectory }),
      lacks: { W46: mounts, W47: mounts, W48: mounts, W49: mounts },
    });
    describeAttacks(
      (cacheDirectory, env) => createTestDriver({ cacheDirectory, env }),
      (what) =>
        process.env.TREADLE_KUBERNETES_NETWORK !== "cut" && /past the proxy|by UDP/.test(what)
          ? "the pod has a network whose policy refuses, where these attempts expect to find none"
          : undefined,
    );
    describe("its ways out", () => describeWaysOut(createTestDriver));
  });
