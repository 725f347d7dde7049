import { sentence } from "@treadle/protocol/sentences";
import { mkdirSync } from "node:fs";
import type { Server } from "node:net";
import { Duplex } from "node:stream";
import type { RegistryConfig, ResolveHost } from "@treadle/egress";
import { createWaysOut, type TakeDatabase } from "@treadle/egress";
import { createGuestEnds, MAX_STREAMS } from "../guest-workspace/guest-link.ts";
import { createNameOffers } from "../guest-workspace/offer-names.ts";
import {
  GUEST_FLAGS,
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
import { startContainer } from "./attached-container.ts";
import { containerConfig, type ContainerSettings } from "./container-config.ts";
import { engineError, type Engine } from "./engine.ts";
import { pidsOfContainer } from "./container-pids.ts";
import { openHostLink, type Taker } from "./host-link.ts";

/** Path where an engine shows a container its own control groups. */
const CONTROL_GROUPS = "/sys/fs/cgroup";

/** Number of characters stored of the output of a container that does not start. */
const WORDS_KEPT = 4_000;

export interface DockerSandboxSettings extends SandboxEvents {
  engine: Engine;
  container: Omit<ContainerSettings, "command" | "directory">;
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
const COPY = `cp -a ${ORIGINAL}/. . > /dev/null 2>&1; exec "$@"`;
const COPY_SOURCES = `tar -C ${ORIGINAL} --exclude=node_modules -cf - . 2> /dev/null | tar -xpf - > /dev/null 2>&1; exec "$@"`;

/** Starts a project's container with its guest and its outgoing sockets. */
export async function startDockerSandbox(settings: DockerSandboxSettings): Promise<Sandbox> {
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
  const command = [
    SANDBOX_PLACES.node,
    ...GUEST_FLAGS,
    `${SANDBOX_PLACES.guest}/over-stdio.mjs`,
    JSON.stringify(guest),
  ];
  const { isCopy, container: requested } = settings;
  const config = containerConfig({
    ...requested,
    ...(isCopy && {
      binds: [...requested.binds, { source: settings.directory, target: ORIGINAL }],
      scratch: [SANDBOX_PLACES.root],
    }),
    directory: SANDBOX_PLACES.root,
    command: isCopy
      ? ["bash", "-c", isCopy.isClean ? COPY_SOURCES : COPY, "bash", ...command]
      : command,
  });
  mkdirSync(stateDirectory, { recursive: true });

  let words = "";
  const container = await startContainer(engine, config, (bytes) => {
    if (words.length < WORDS_KEPT) words += bytes.toString();
  }).catch((error: unknown) => {
    out.close();
    throw engineError("sandbox-not-started", error);
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
  const pids = await pidsOfContainer(engine, container.id);
  const disk = settings.watchDisk({
    folders: [settings.directory, stateDirectory],
    limits,
    pids,
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
  const carrier = Duplex.from({ readable: container.output, writable: container.input });
  carrier.on("error", () => undefined);
  const letGo = openHostLink(carrier, takers, remove);
  const ended = new Promise<void>((resolve) => container.input.once("close", () => resolve())).then(
    async () => {
      disk.close();
      letGo();
      ends.gone();
      out.close();
      await container.remove();
    },
  );

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
    usage: () => usageOf(limits, pids(), disk.used()),
    ended,
    async end() {
      await container.remove();
      container.input.destroy();
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
