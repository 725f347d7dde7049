import { sentence } from "@treadle/protocol/sentences";
import { mkdirSync } from "node:fs";
import type { Server } from "node:net";
import type { RegistryConfig, ResolveHost } from "@treadle/egress";
import { createWaysOut, type TakeDatabase } from "@treadle/egress";
import { createGuestEnds, MAX_STREAMS } from "../guest-workspace/guest-link.ts";
import { createNameOffers } from "../guest-workspace/offer-names.ts";
import {
  sandboxEnvironment,
  SANDBOX_PLACES,
  secretKey,
} from "../guest-workspace/sandbox-environment.ts";
import type { Sandbox, SandboxEvents } from "../guest-workspace/sandbox-host.ts";
import type { GuestConfig } from "../wire/config.ts";
import { WIRE_VERSION } from "../wire/version.ts";
import { usageOf } from "../limits/usage.ts";
import type { createDiskWatch } from "../limits/disk-watch.ts";
import { memoryHit, processesHit } from "../limits/limit-words.ts";
import { WorkspaceError } from "../types.ts";
import { openHostLink, type Taker } from "./host-link.ts";
import type { ContainerEngine, ContainerSettings, ProjectContainer } from "./types.ts";

/** Path where an engine shows a container its own control groups. */
const CONTROL_GROUPS = "/sys/fs/cgroup";

/** Number of characters stored of the output of a container that does not start. */
const WORDS_KEPT = 4_000;

export interface ContainerSandboxSettings extends SandboxEvents {
  engine: ContainerEngine;
  container: ProjectContainer & Pick<ContainerSettings, "binds" | "store">;
  /** Inodes of the person's own repositories. */
  keptRepositories: number[];
  /** The project's files on this machine. */
  directory: string;
  /**
   * The container works on a copy that is discarded with it; a clean copy is made without installed
   * packages. Absent: it works on the files themselves, through one of `container.binds`.
   */
  isCopy?: { isClean: boolean };
  stateDirectory: string;
  watchDisk: ReturnType<typeof createDiskWatch>;
  registry: RegistryConfig;
  /** Replaced in tests. */
  resolve?: ResolveHost;
  /** Accepts connections to the app's PostgreSQL database; undefined if it has none. */
  database?: TakeDatabase | undefined;
}

/** Path in the container of the additional certificates that Node trusts. */
const TRUSTED = `${SANDBOX_PLACES.home}/.treadle-trusted.pem`;

/**
 * Path in the container of the project's current files, from which a copy is made. Files that disappear meanwhile are
 * left out.
 */
const ORIGINAL = "/run/project";
const COPY = `cp -a ${ORIGINAL}/. . > /dev/null 2>&1`;
const COPY_SOURCES = `tar -C ${ORIGINAL} --exclude=node_modules -cf - . 2> /dev/null | tar -xpf - > /dev/null 2>&1`;

/** Starts a project's container with its guest and its outgoing sockets. */
export async function startContainerSandbox(settings: ContainerSandboxSettings): Promise<Sandbox> {
  const { engine, stateDirectory } = settings;
  const out = createWaysOut({
    registry: settings.registry,
    reachable: settings.reachable,
    resolve: settings.resolve,
    database: settings.database,
    onRefused: settings.onRefused,
    mayInstall: settings.mayInstall,
  });
  const guest: GuestConfig = {
    version: WIRE_VERSION,
    root: SANDBOX_PLACES.root,
    sockets: SANDBOX_PLACES.sockets,
    ways: out.ways.map(({ server: _server, ...way }) => way),
    npmrc: out.npmrc,
    ripgrep: SANDBOX_PLACES.ripgrep,
    headers: SANDBOX_PLACES.headers,
    env: sandboxEnvironment(SANDBOX_PLACES, { ...out.env, NODE_EXTRA_CA_CERTS: TRUSTED }),
    trusted: { path: TRUSTED, text: out.trusted },
    controlGroups: CONTROL_GROUPS,
    secretKey: secretKey(stateDirectory),
    keptRepositories: settings.keptRepositories,
    original: settings.isCopy ? ORIGINAL : undefined,
  };
  const { isCopy, container: requested } = settings;
  const binds = isCopy
    ? [...requested.binds, { source: settings.directory, target: ORIGINAL }]
    : requested.binds;
  mkdirSync(stateDirectory, { recursive: true });

  let words = "";
  const container = await engine
    .startGuest(
      {
        ...requested,
        task: "sandbox",
        binds,
        scratch: isCopy && [SANDBOX_PLACES.root],
        directory: SANDBOX_PLACES.root,
        fill: isCopy && (isCopy.isClean ? COPY_SOURCES : COPY),
      },
      guest,
      (bytes) => {
        if (words.length < WORDS_KEPT) words += bytes.toString();
      },
    )
    .catch((error: unknown) => {
      out.close();
      throw error;
    });
  const remove = () => void container.remove();
  const { limits } = settings.container;
  const ends = createGuestEnds({
    onMessage(message, body) {
      if (message.kind !== "limit") return settings.onMessage(message, body);
      settings.onLimit(message.limit === "memory" ? memoryHit(limits) : processesHit(limits));
    },
    onBroken: remove,
  });
  const disk = settings.watchDisk({
    folders: [settings.directory, stateDirectory],
    limits,
    pids: container.pids,
    allowance: settings.diskAllowance,
    onNear: settings.onNear,
    onOver(hit) {
      settings.onLimit(hit);
      remove();
    },
  });
  const takers = new Map<string, Taker>([
    // One more than `takeControl` accepts, which refuses the second one itself.
    ["guest.sock", { take: ends.takeControl, limit: 2 }],
    ["stream.sock", { take: ends.takeStream, limit: MAX_STREAMS }],
    ...out.ways.map(({ socket, server }): [string, Taker] => [socket, takeAs(server)]),
  ]);
  container.carrier.on("error", () => undefined);
  const letGo = openHostLink(container.carrier, takers, remove);
  const ended = container.closed.then(async () => {
    disk.close();
    letGo();
    const hit = await container.findLimit?.();
    if (hit) settings.onLimit(hit);
    ends.gone();
    out.close();
    await container.remove();
  });

  const why = await ends.whenReady(ended, () => words);
  if (why !== undefined) {
    await container.remove();
    throw new WorkspaceError("sandbox", sentence("sandbox-not-started", { why }));
  }
  const offerNames = createNameOffers(ends);
  void offerNames(settings.reachable);
  return {
    request: ends.request,
    dial: ends.dial,
    atRest: ends.atRest,
    allow(reachable) {
      out.allow(reachable);
      void offerNames(reachable);
    },
    full: disk.full,
    usage: () => usageOf(limits, container.pids(), disk.used()),
    ended,
    async end() {
      await container.remove();
      container.disconnect();
      await ended;
    },
  };
}

/**
 * Passes connections to a server as if they had arrived on its own socket; the server's limit applies to them as well.
 */
const takeAs = (server: Server): Taker => ({
  take: (stream) => void server.emit("connection", stream),
  limit: server.maxConnections,
});
