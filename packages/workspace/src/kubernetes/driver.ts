import { createHash } from "node:crypto";
import { readRegistryConfig, type ResolveHost } from "@treadle/egress";
import { containerUser } from "../containers/container-user.ts";
import { createContainerDriver } from "../containers/driver.ts";
import { findInstallation } from "../host/installation.ts";
import { readLimits } from "../limits/limits.ts";
import type { WorkspaceDriver } from "../types.ts";
import type { ShutAddress } from "../wire/exec-request.ts";
import { createApi } from "./api.ts";
import { readCluster } from "./cluster.ts";
import { createPodContainers } from "./pod-containers.ts";
import { OWNER_LABEL } from "./pod-spec.ts";
import { openPods } from "./pods.ts";
import { probeCluster } from "./probe.ts";
import { readKubernetesSettings } from "./settings.ts";
import { createShutAddresses } from "./shut-addresses.ts";

export interface KubernetesDriverOptions {
  /** Absolute path on the host, on the claim; also identifies this installation's pods. */
  cacheDirectory: string;
  /** The server's environment, from which the settings are read. */
  env: Record<string, string | undefined>;
  /** Resolves hosts' names for connections from a pod; replaced in tests. */
  resolve?: ResolveHost;
}

/** What a pod needs that only listens. */
const LISTENER_LIMITS = { memory: 128 * 1024 * 1024, cpus: 0.1 };

/**
 * The `kubernetes` driver: runs each project in a pod of one namespace. The projects' files are on a claim that this
 * process has mounted as well.
 * @throws WorkspaceError `sandbox` if a setting is missing, or the cluster's configuration cannot be read
 */
export function createKubernetesDriver(options: KubernetesDriverOptions): WorkspaceDriver {
  const { cacheDirectory, env } = options;
  const cluster = readCluster(env);
  const settings = {
    ...readKubernetesSettings(env, cacheDirectory, cluster.namespace),
    owner: createHash("sha256").update(cacheDirectory).digest("hex").slice(0, 8),
  };
  const api = createApi(cluster);
  const pods = openPods(api, settings.namespace);
  const installation = findInstallation();
  let listening: Promise<ShutAddress> | undefined;
  let swept: Promise<void> | undefined;
  const userOf = (project: string) =>
    containerUser({
      project,
      platform: process.platform,
      uid: process.getuid?.(),
      gid: process.getgid?.(),
      rootless: false,
    });

  /** Another pod that listens, started once; without a network there is none to reach. */
  async function findOther(): Promise<ShutAddress | undefined> {
    if (settings.network === "cut") return undefined;
    const forget = () => (listening = undefined);
    const part = { user: userOf(""), limits: { ...readLimits(env), ...LISTENER_LIMITS } };
    listening ??= engine.listen(part, forget);
    listening.catch(forget);
    return listening;
  }

  const engine = createPodContainers(
    api,
    pods,
    settings,
    createShutAddresses(api, settings, env, findOther),
  );

  const driver = createContainerDriver({
    cacheDirectory,
    env,
    installation,
    resolve: options.resolve,
    engine,
    async admit({ project }, limits) {
      await (swept ??= pods.sweep(`${OWNER_LABEL}=${settings.owner}`));
      return { user: userOf(project), limits };
    },
  });

  return {
    ...driver,
    name: "kubernetes",
    probe: () =>
      probeCluster({
        api,
        settings,
        guest: installation.guest,
        registry: readRegistryConfig(env),
        tryPod: () => engine.tryPod({ user: userOf(""), limits: readLimits(env) }),
      }),
    // Projects install their own packages, and nodes pull the image when they need it.
    prepareTemplates: () => Promise.resolve(),
    async close() {
      await driver.close();
      await engine.close();
      await pods.close();
      api.close();
    },
  };
}
