import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";

/** Parts of Treadle's installation that are mounted into every sandbox, as absolute paths of the host. */
export interface Installation {
  node: string;
  /** Folder with the headers of that Node in `node/`; absent if Node was installed without them. */
  headers?: string;
  /** Folder of the npm package. */
  npm: string;
  /** Folder of the built guest: `guest.mjs`, `bin/`, the native pty. */
  guest: string;
  ripgrep: string;
}

const require = createRequire(import.meta.url);

/**
 * Finds the parts of this installation. The guest is built into `dist/guest` by `build-guest.mjs`; its relative path is
 * the same from `src` and `dist`.
 */
export function findInstallation(): Installation {
  const headers = findHeaders();
  return {
    node: process.execPath,
    headers,
    npm: dirname(require.resolve("npm/package.json")),
    guest: join(dirname(fileURLToPath(import.meta.url)), "../../dist/guest"),
    ripgrep: rgPath,
  };
}

/**
 * The headers beside Node, if it comes from an archive or from npm's package; otherwise those of
 * npm's package, if it has the same version.
 */
function findHeaders(): string | undefined {
  const beside = join(dirname(process.execPath), "../include");
  return [beside, packagedHeaders()].find((folder) => folder !== undefined && isOfThisNode(folder));
}

function packagedHeaders(): string | undefined {
  try {
    const name = `node-${process.platform}-${process.arch}/package.json`;
    return join(dirname(require.resolve(name)), "include");
  } catch {
    return undefined;
  }
}

function isOfThisNode(headers: string): boolean {
  try {
    const text = readFileSync(join(headers, "node/node_version.h"), "utf8");
    const part = (name: string) =>
      new RegExp(`^#define NODE_${name}_VERSION (\\d+)`, "m").exec(text)?.[1];
    return ["MAJOR", "MINOR", "PATCH"].map(part).join(".") === process.versions.node;
  } catch {
    return false;
  }
}
