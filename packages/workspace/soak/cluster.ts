/** The contract, the attempts to get out and the ways out over a cluster: docs/testing-kubernetes.md says which. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project",
    "unit",
    "packages/workspace/src/kubernetes",
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, TREADLE_TEST_KUBERNETES: "1" } },
);
process.exitCode = status ?? 1;
