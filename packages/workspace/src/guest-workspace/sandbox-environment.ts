import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Paths in a sandbox. */
export interface InsidePlaces {
  root: string;
  sockets: string;
  node: string;
  /** Folder with Node's headers in `node/`. */
  headers: string;
  npm: string;
  /** Folder of downloaded package managers. */
  tools: string;
  guest: string;
  ripgrep: string;
  home: string;
  temporary: string;
}

/**
 * Node flags of the guest: it needs little memory, but on a large machine V8 would let it grow to
 * many times that before collecting garbage.
 */
export const GUEST_FLAGS = [
  "--max-semi-space-size=4",
  "--max-old-space-size=512",
  // SIGUSR1 would open Node's debugger to other processes in the sandbox.
  "--disable-sigusr1",
];

export const SANDBOX_PLACES: InsidePlaces = {
  root: "/home/project",
  sockets: "/run/sbx",
  node: "/run/treadle/node/bin/node",
  headers: "/run/treadle/node/include",
  npm: "/run/treadle/npm",
  tools: "/run/treadle/tools",
  guest: "/run/treadle/guest",
  ripgrep: "/run/treadle/rg",
  home: "/home/user",
  temporary: "/tmp",
};

/** The sandbox's own system programs. */
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The environment of every command in a sandbox. */
export function sandboxEnvironment(
  inside: InsidePlaces,
  waysOut: Record<string, string>,
): Record<string, string> {
  return {
    PATH: [posix.join(inside.guest, "bin"), posix.dirname(inside.node), SYSTEM_PATH].join(":"),
    HOME: inside.home,
    USER: "sandbox",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TREADLE_NODE: inside.node,
    TREADLE_NPM: inside.npm,
    TREADLE_TOOLS: inside.tools,
    TREADLE_GUEST: inside.guest,
    TREADLE_INSTALL_SOCKET: posix.join(inside.temporary, "treadle-install.sock"),
    TREADLE_DIALS: posix.join(inside.temporary, "treadle-dials.sock"),
    TREADLE_CODE: posix.join(inside.temporary, "treadle-code.sock"),
    BROWSER: "none",
    NO_UPDATE_NOTIFIER: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    npm_config_cache: posix.join(inside.home, ".cache/npm"),
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
    ...waysOut,
  };
}

/** The environment of a proof: without network access or anything of the project's user. */
export const PROVE_ENV: Record<string, string> = {
  PATH: "/run/treadle/guest/bin:/run/treadle/node/bin:/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  LANG: "C.UTF-8",
  CI: "1",
  TREADLE_NODE: SANDBOX_PLACES.node,
  TREADLE_NPM: SANDBOX_PLACES.npm,
  TREADLE_TOOLS: SANDBOX_PLACES.tools,
  TREADLE_GUEST: SANDBOX_PLACES.guest,
  NEXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
};

/**
 * The key of `.env*` digests. Each project has its own, so that digests of two projects cannot be compared.
 * @param initial the key to store if there is none yet; absent: a random one
 */
export function secretKey(stateDirectory: string, initial?: string): string {
  const file = join(stateDirectory, "secret-key");
  if (!existsSync(file))
    writeFileSync(file, initial ?? randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
