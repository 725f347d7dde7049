import { randomBytes } from "node:crypto";
import { createHash } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusal } from "../egress/connect-proxy.ts";
import type { Resolve } from "../egress/public-address.ts";
import type { RegistryConfig } from "../egress/registry-config.ts";
import { createWaysOut } from "../egress/ways-out.ts";
import type { GuestConfig, GuestMessage } from "../wire/types.ts";
import { DEFAULT_LIMITS, limitWords, makeControlGroups } from "./control-groups.ts";
import { listenOn, makeSocketFolder, startGuest, type GuestLink } from "./guest-link.ts";
import { gitBinds } from "./git-guard.ts";
import type { Installation } from "./installation.ts";
import { LAUNCH_ENV, sandboxCommand } from "./sandbox-command.ts";

export interface SandboxSettings {
  project: string;
  directory: string;
  stateDirectory: string;
  uid: number;
  installation: Installation;
  registry: RegistryConfig;
  /** Without bubblewrap, as the server's own user. */
  plain: boolean;
  /** Every host that what runs inside may reach besides the registry. */
  hosts: readonly string[];
  /** Tests put a resolver of their own here. */
  resolve?: Resolve;
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onRefused(refusal: Refusal): void;
}

/** A guest, and the list of what may be reached from where it is. */
export interface Sandbox extends GuestLink {
  allow(hosts: readonly string[]): void;
}

/** Starts a project's sandbox with its guest and its ways out. */
export async function startSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const { directory, stateDirectory, installation, uid, plain } = settings;
  const folder = makeSocketFolder();
  const cache = join(stateDirectory, "cache");
  mkdirSync(cache, { recursive: true });
  if (process.getuid?.() === 0 && !plain) chownSync(cache, uid, uid);

  const out = createWaysOut({
    registry: settings.registry,
    hosts: settings.hosts,
    ...(settings.resolve && { resolve: settings.resolve }),
    onRefused: settings.onRefused,
  });
  for (const { server, socket } of out.ways) await listenOn(server, join(folder, "s", socket));

  const inside = plain
    ? {
        root: directory,
        sockets: join(folder, "s"),
        node: installation.node,
        npm: installation.npm,
        guest: installation.guest,
        ripgrep: installation.ripgrep,
        home: cache,
        temporary: folder,
      }
    : {
        root: "/home/project",
        sockets: "/run/sbx",
        node: "/run/treadle/node/bin/node",
        npm: "/run/treadle/npm",
        guest: "/run/treadle/guest",
        ripgrep: "/run/treadle/rg",
        home: "/home/user",
        temporary: "/tmp",
      };
  const env = insideEnvironment(inside, plain ? {} : out.env);
  const config: GuestConfig = {
    root: inside.root,
    sockets: inside.sockets,
    ways: plain ? [] : out.ways.map(({ socket, port }) => ({ socket, port })),
    npmrc: plain ? "" : out.npmrc,
    ripgrep: inside.ripgrep,
    env,
    secretKey: secretKey(stateDirectory),
  };
  const words = [inside.node, join(inside.guest, "guest.mjs"), JSON.stringify(config)];
  const name = createHash("sha256").update(settings.project).digest("hex").slice(0, 12);
  const groups = plain
    ? { folders: [], remove: async () => {} }
    : makeControlGroups(name, DEFAULT_LIMITS);
  const command = plain
    ? { file: words[0]!, args: words.slice(1), env: { ...env, PATH: env.PATH! }, cwd: directory }
    : {
        ...sandboxCommand({
          binds: [
            { source: directory, target: "/home/project", writable: true, shared: true },
            ...gitBinds(directory),
            { source: cache, target: "/home/user/.cache", writable: true },
            { source: join(folder, "s"), target: "/run/sbx" },
            { source: installation.guest, target: inside.guest },
            { source: installation.npm, target: inside.npm },
            { source: installation.node, target: inside.node },
            { source: installation.ripgrep, target: inside.ripgrep },
            { source: join(installation.guest, "etc/passwd"), target: "/etc/passwd" },
            { source: join(installation.guest, "etc/group"), target: "/etc/group" },
            { source: join(installation.guest, "etc/hosts"), target: "/etc/hosts" },
          ],
          directory: "/home/project",
          env: {},
          uid,
          cgroups: groups.folders,
          command: [...limitWords(groups, DEFAULT_LIMITS), ...words],
        }),
        env: LAUNCH_ENV,
        cwd: "/",
      };
  const close = async () => {
    out.close();
    await groups.remove();
  };
  try {
    const link = await startGuest({
      command,
      folder,
      tidies: plain,
      onMessage: settings.onMessage,
    });
    const closed = link.ended.then(close);
    return { ...link, allow: out.allow, end: () => link.end().then(() => closed) };
  } catch (error) {
    await close();
    throw error;
  }
}

function insideEnvironment(
  inside: { node: string; npm: string; guest: string; home: string; temporary: string },
  waysOut: Record<string, string>,
): Record<string, string> {
  return {
    PATH: [join(inside.guest, "bin"), join(inside.node, ".."), LAUNCH_ENV.PATH].join(":"),
    HOME: inside.home,
    USER: "sandbox",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TREADLE_NODE: inside.node,
    TREADLE_NPM: inside.npm,
    TREADLE_GUEST: inside.guest,
    TREADLE_INSTALL_SOCKET: join(inside.temporary, "treadle-install.sock"),
    BROWSER: "none",
    NO_UPDATE_NOTIFIER: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    npm_config_cache: join(inside.home, ".cache/npm"),
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
    ...waysOut,
  };
}

/** The key of `.env*` digests: made once a project, so that the digests of two projects tell nothing of each other. */
function secretKey(stateDirectory: string): string {
  const file = join(stateDirectory, "secret-key");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
