import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ResolveHost } from "@treadle/egress";
import { readRegistryConfig } from "@treadle/egress";
import { findInstallation } from "../host/installation.ts";
import { sweepLeftovers } from "../host/leftovers.ts";
import { createDiskWatch } from "../limits/disk-watch.ts";
import { lowered, readLimits, readPublishedLimits } from "../limits/limits.ts";
import { createWorkspaceLimit } from "../limits/workspace-limit.ts";
import { templatesToPrepare } from "../templates/templates.ts";
import { WorkspaceError, type Workspace, type WorkspaceDriver } from "../types.ts";
import { containerUser } from "./container-user.ts";
import { connectEngine, engineError } from "./engine.ts";
import { ensureImage } from "./image.ts";
import { probeEngine } from "./probe.ts";
import { OWNER_LABEL, SERVER_LABEL, sweepContainers } from "./sweep.ts";
import { openDockerWorkspace } from "./workspace.ts";

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
  sweepLeftovers(cacheDirectory);
  const registry = readRegistryConfig(env);
  const projectLimits = readLimits(env);
  const publishedLimits = readPublishedLimits(env);
  const count = createWorkspaceLimit(env);
  const watchDisk = createDiskWatch();
  const engine = connectEngine(options.socketPath);
  const owner = createHash("sha256").update(cacheDirectory).digest("hex").slice(0, 16);
  const labels = { [OWNER_LABEL]: owner, [SERVER_LABEL]: String(process.pid) };
  const open = new Map<string, Promise<Workspace>>();
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

  const driver: WorkspaceDriver = {
    name: "docker",
    probe: () =>
      probeEngine(connectEngine(options.socketPath, PROBE_MS), installation, registry, env),

    async open(openOptions) {
      if (!existsSync(join(installation.guest, "over-stdio.mjs")))
        throw new WorkspaceError("sandbox", sentence("treadle-not-built"));
      const there = open.get(openOptions.project);
      if (there) return there;
      count.enter(openOptions.project);
      const forget = () => {
        open.delete(openOptions.project);
        count.leave(openOptions.project);
      };
      const opening = start();
      open.set(openOptions.project, opening);
      opening.catch(forget);
      return opening;

      async function start(): Promise<Workspace> {
        const { SecurityOptions = [], NCPU } = await engineInfo();
        const user = containerUser({
          project: openOptions.project,
          platform: process.platform,
          uid: process.getuid?.(),
          gid: process.getgid?.(),
          rootless: SecurityOptions.some((word) => word.includes("rootless")),
        });
        await (swept ??= sweepContainers(engine, owner).catch(() => undefined));
        const limits = lowered(
          openOptions.isPublished ? publishedLimits : projectLimits,
          openOptions.limits,
        );
        return openDockerWorkspace(openOptions, {
          engine,
          image,
          labels,
          user,
          registry,
          // The engine's machine may have fewer cores than this one, and refuses a larger number.
          limits: { ...limits, cpus: Math.min(limits.cpus, NCPU ?? limits.cpus) },
          watchDisk,
          resolve: options.resolve,
          onClosed: forget,
        });
      }
    },

    async prepareTemplates(onProgress = () => {}) {
      // Projects install their own packages; only the image needs to be built, unless nothing is to
      // be prepared.
      if (templatesToPrepare(env).length === 0) return;
      onProgress("Preparing the Docker image…");
      await image();
    },

    async close() {
      const all = await Promise.allSettled(open.values());
      // A failure to stop one must not prevent waiting for the others.
      const ended = await Promise.allSettled(
        all.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)),
      );
      for (const result of ended) if (result.status === "rejected") throw result.reason;
    },
  };
  return driver;
}
