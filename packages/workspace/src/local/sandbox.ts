import { createHash, randomUUID } from "node:crypto";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Reachable, RegistryConfig, ResolveHost } from "@treadle/egress";
import { createWaysOut, type TakeDatabase } from "@treadle/egress";
import { createNameOffers } from "../guest-workspace/offer-names.ts";
import {
  GUEST_FLAGS,
  sandboxEnvironment,
  SANDBOX_PLACES,
  secretKey,
} from "../guest-workspace/sandbox-environment.ts";
import type { Sandbox, SandboxEvents } from "../guest-workspace/sandbox-host.ts";
import { WORKSPACE_MARK } from "../guest/process-table.ts";
import type { GuestConfig } from "../wire/config.ts";
import { WIRE_VERSION } from "../wire/version.ts";
import { usageOf } from "../limits/usage.ts";
import type { createDiskWatch } from "../limits/disk-watch.ts";
import { watchLimits } from "./limit-watch.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import type { RepositoryBind } from "../repositories/guard-repositories.ts";
import { TRUST_ENV, trustInside } from "./trust-certificate.ts";
import { limitWords, makeControlGroups, NO_CONTROL_GROUPS } from "../host/control-groups.ts";
import type { Installation } from "../host/installation.ts";
import { openLowPorts } from "./open-low-ports.ts";
import { LAUNCH_ENV, sandboxCommand, type Bind } from "./sandbox-command.ts";
import { listenOn, makeSocketFolder, startGuest, type LaunchedGuest } from "./start-guest.ts";

export interface SandboxSettings extends SandboxEvents {
  project: string;
  directory: string;
  stateDirectory: string;
  uid: number;
  repositories: { binds: RepositoryBind[]; kept: number[] };
  /** All writes go to this layer; the project's own folder stays unchanged. */
  layer?: ProjectLayer;
  /** Absolute path on the host for downloads of programs in the sandbox. Absent: a folder in the state folder. */
  cacheDirectory?: string;
  /** Folder of downloaded package managers. */
  tools: string;
  installation: Installation;
  registry: RegistryConfig;
  /** Runs without bubblewrap, as the server's user. */
  plain: boolean;
  /** Replaced in tests. */
  resolve?: ResolveHost;
  /** Accepts connections to the app's PostgreSQL database. */
  database?: TakeDatabase | undefined;
  /** None of them applies without a sandbox. */
  limits: ResourceLimits;
  /** Whether control groups are used if the machine has them. */
  controlGroups: boolean;
  watchDisk: ReturnType<typeof createDiskWatch>;
}

/** A layer over a project that receives all writes. */
export interface ProjectLayer {
  /** Absolute paths on the host of empty folders owned by the sandbox's user. */
  upper: string;
  work: string;
  /**
   * The project's dependencies, below layers of their own; `later`: an install puts them in place,
   * as in a project.
   */
  dependencies: Bind[] | "later";
}

export type LocalSandbox = Sandbox & LaunchedGuest;

/** Starts a project's sandbox with its guest and its outgoing sockets. */
export async function startSandbox(settings: SandboxSettings): Promise<LocalSandbox> {
  const { directory, stateDirectory, installation, uid, plain } = settings;
  const folder = makeSocketFolder();
  const cache = settings.cacheDirectory ?? join(stateDirectory, "cache");
  mkdirSync(cache, { recursive: true });
  if (process.getuid?.() === 0 && !plain) chownSync(cache, uid, uid);

  const out = createWaysOut({
    registry: settings.registry,
    reachable: settings.reachable,
    resolve: settings.resolve,
    database: settings.database,
    onRefused: settings.onRefused,
    mayInstall: settings.mayInstall,
  });
  for (const { server, socket } of out.ways) await listenOn(server, join(folder, "s", socket));

  const inside = plain
    ? {
        root: directory,
        sockets: join(folder, "s"),
        node: installation.node,
        headers: installation.headers ?? "",
        npm: installation.npm,
        tools: settings.tools,
        guest: installation.guest,
        ripgrep: installation.ripgrep,
        home: cache,
        temporary: folder,
      }
    : SANDBOX_PLACES;
  const mark = plain ? randomUUID() : undefined;
  const env = sandboxEnvironment(
    inside,
    mark === undefined ? { ...out.env, ...TRUST_ENV } : { [WORKSPACE_MARK]: mark },
  );
  const config: GuestConfig = {
    version: WIRE_VERSION,
    root: inside.root,
    sockets: inside.sockets,
    ways: plain ? [] : out.ways.map(({ server: _server, ...way }) => way),
    npmrc: plain ? "" : out.npmrc,
    ripgrep: inside.ripgrep,
    headers: installation.headers === undefined ? undefined : inside.headers,
    env,
    secretKey: secretKey(stateDirectory),
    keptRepositories: plain ? undefined : settings.repositories.kept,
  };
  const words = [
    inside.node,
    ...GUEST_FLAGS,
    join(inside.guest, "guest.mjs"),
    JSON.stringify(config),
  ];
  const name = createHash("sha256").update(settings.project).digest("hex").slice(0, 12);
  const { limits } = settings;
  const groups =
    plain || !settings.controlGroups ? NO_CONTROL_GROUPS : makeControlGroups(name, limits);
  const command = plain
    ? { file: words[0]!, args: words.slice(1), env: { ...env, PATH: env.PATH! }, cwd: directory }
    : {
        ...sandboxCommand({
          binds: [
            ...projectBinds(directory, settings.layer),
            ...settings.repositories.binds.map(({ path, ...bind }) => ({
              ...bind,
              target: `/home/project/${path}`,
            })),
            { source: cache, target: "/home/user/.cache", writable: true },
            { source: join(folder, "s"), target: "/run/sbx" },
            ...trustInside(folder, out.trusted),
            { source: installation.guest, target: inside.guest },
            { source: installation.npm, target: inside.npm },
            { source: settings.tools, target: inside.tools },
            { source: installation.node, target: inside.node },
            ...(installation.headers === undefined
              ? []
              : [{ source: installation.headers, target: inside.headers }]),
            { source: installation.ripgrep, target: inside.ripgrep },
            { source: join(installation.guest, "etc/passwd"), target: "/etc/passwd" },
            { source: join(installation.guest, "etc/group"), target: "/etc/group" },
            { source: join(installation.guest, "etc/hosts"), target: "/etc/hosts" },
            { source: join(installation.guest, "etc/gitconfig"), target: "/etc/gitconfig" },
          ],
          directory: "/home/project",
          env: {},
          uid,
          cgroups: groups.folders,
          limits,
          command: [...limitWords(groups, limits), ...words],
        }),
        env: LAUNCH_ENV,
        cwd: "/",
      };
  const watch = watchLimits({ groups, limits, onHit: settings.onLimit });
  let link: LaunchedGuest | undefined;
  const disk = plain
    ? undefined
    : settings.watchDisk({
        folders: [directory, stateDirectory],
        limits,
        pids: groups.pids,
        allowance: settings.diskAllowance,
        onNear: settings.onNear,
        onOver(hit) {
          settings.onLimit(hit);
          // The writing program is unknown, and the space of a deleted file is freed only when that
          // program ends.
          link?.end().catch(() => undefined);
        },
      });
  const close = async () => {
    // The sandbox may have ended because of a limit.
    watch.look();
    watch.close();
    disk?.close();
    out.close();
    await groups.remove();
  };
  try {
    const started = (link = await startGuest({
      command,
      folder,
      mark,
      onMessage: settings.onMessage,
    }));
    const closed = started.ended.then(close);
    const lowPorts = plain ? undefined : openLowPorts(started.pid);
    const offerNames = createNameOffers(started);
    /**
     * Makes the allowed hosts resolvable by name. This is not awaited, because a new command takes as long to start.
     */
    const offer = (reachable: Reachable) =>
      void lowPorts?.then(
        () => offerNames(reachable),
        () => undefined,
      );
    offer(settings.reachable);
    return {
      ...started,
      allow(reachable) {
        out.allow(reachable);
        offer(reachable);
      },
      lookAtLimits: watch.look,
      full: () => disk?.full(),
      usage: plain ? undefined : () => usageOf(limits, groups.pids(), disk?.used()),
      end: () => started.end().then(() => closed),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function projectBinds(directory: string, layer: ProjectLayer | undefined): Bind[] {
  const project = { source: directory, target: "/home/project", writable: true };
  if (!layer) return [{ ...project, shared: true }];
  const { upper, work, dependencies } = layer;
  const layered = { ...project, overlay: { lower: [directory], upper, work } };
  return dependencies === "later" ? [{ ...layered, shared: true }] : [layered, ...dependencies];
}
