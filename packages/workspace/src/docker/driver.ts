import { createHash } from "node:crypto";
import { readRegistryConfig, type ResolveHost } from "@treadle/egress";
import { containerUser } from "../containers/container-user.ts";
import { createContainerDriver } from "../containers/driver.ts";
import { findInstallation } from "../host/installation.ts";
import { templatesToPrepare } from "../templates/templates.ts";
import type { WorkspaceDriver } from "../types.ts";
import { createDockerContainers } from "./docker-containers.ts";
import { connectEngine, engineError } from "./engine.ts";
import { ensureImage } from "./image.ts";
import { probeEngine } from "./probe.ts";
import { OWNER_LABEL, SERVER_LABEL, sweepContainers } from "./sweep.ts";

export interface DockerDriverOptions {
  /** Absolute path on the host; also identifies this installation's containers. */
  cacheDirectory: string;
  /** The server's environment, from which npm's settings are read. */
  env: Record<string, string | undefined>;
  /** The engine's socket; default: from `DOCKER_HOST`, or its usual path. */
  socketPath?: string;
  /** Resolves hosts' names for connections from a container; replaced in tests. */
  resolve?: ResolveHost;
  onNotice?: (text: string) => void;
}

/** The engine's properties that the driver uses. */
interface EngineInfo {
  SecurityOptions?: string[];
  NCPU?: number;
}

/** Time limit for the engine to answer a probe, in milliseconds. */
const PROBE_MS = 5_000;

/**
 * The `docker` driver: runs everything in containers of an engine that can access this machine's
 * files.
 */
export function createDockerDriver(options: DockerDriverOptions): WorkspaceDriver {
  const { cacheDirectory, env, onNotice = () => {} } = options;
  const installation = findInstallation();
  const engine = connectEngine(options.socketPath);
  const owner = createHash("sha256").update(cacheDirectory).digest("hex").slice(0, 16);
  const labels = { [OWNER_LABEL]: owner, [SERVER_LABEL]: String(process.pid) };
  let building: Promise<string> | undefined;
  let swept: Promise<void> | undefined;
  let asked: Promise<EngineInfo> | undefined;

  const image = () =>
    (building ??= ensureImage(engine, {
      installation,
      env,
      owner: { [OWNER_LABEL]: owner },
      onNotice,
    }).catch((error: unknown) => {
      building = undefined;
      throw engineError("sandbox-not-started", error);
    }));

  /** Asks the engine once, and again after a failure, since the engine may be started later than the server. */
  const engineInfo = () =>
    (asked ??= (engine.info() as Promise<EngineInfo>).catch((error: unknown) => {
      asked = undefined;
      throw engineError("sandbox-not-started", error);
    }));

  const driver = createContainerDriver({
    cacheDirectory,
    env,
    installation,
    resolve: options.resolve,
    engine: createDockerContainers(engine, { image, labels }),
    async admit({ project }, limits) {
      const { SecurityOptions = [], NCPU } = await engineInfo();
      await (swept ??= sweepContainers(engine, owner).catch(() => undefined));
      const user = containerUser({
        project,
        platform: process.platform,
        uid: process.getuid?.(),
        gid: process.getgid?.(),
        rootless: SecurityOptions.some((word) => word.includes("rootless")),
      });
      // The engine's machine may have fewer cores than this one, and refuses a larger number.
      return { user, limits: { ...limits, cpus: Math.min(limits.cpus, NCPU ?? limits.cpus) } };
    },
  });

  return {
    ...driver,
    name: "docker",
    probe: () =>
      probeEngine(
        connectEngine(options.socketPath, PROBE_MS),
        installation,
        readRegistryConfig(env),
        env,
      ),

    async prepareTemplates(onProgress = () => {}) {
      // Projects install their own packages; only the image needs to be built, unless nothing is to
      // be prepared.
      if (templatesToPrepare(env).length === 0) return;
      onProgress("Preparing the Docker image…");
      await image();
    },
  };
}
