import { createKubernetesDriver, type KubernetesDriverOptions } from "./driver.ts";

/** Variables that say which cluster the tests may use, and how. */
const GIVEN = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name === "KUBECONFIG" || name.startsWith("TREADLE_KUBERNETES_"),
  ),
);

/** Why the driver cannot be tested here; undefined if `TREADLE_TEST_KUBERNETES=1` says that it has to be. */
export const noCluster =
  process.env.TREADLE_TEST_KUBERNETES === "1"
    ? undefined
    : "no cluster is named for it; docs/testing-kubernetes.md says how";

/**
 * @param options.env the complete environment, except for what leads to the cluster
 * @param options.given replaces some of that
 */
export const createTestDriver = ({
  env = process.env,
  given,
  ...options
}: Omit<KubernetesDriverOptions, "env"> & { env?: object; given?: object }) =>
  createKubernetesDriver({ ...options, env: { ...env, ...GIVEN, ...given } });
