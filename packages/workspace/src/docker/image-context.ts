import { execFile } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Installation } from "../host/installation.ts";

const run = promisify(execFile);

const DOCKERFILE = fileURLToPath(new URL("../../docker/Dockerfile", import.meta.url));

/** Time limit for npm to download what does not run on this machine. */
const FETCH_MS = 5 * 60_000;

/** The engine's architecture in Node's terms: `x64` or `arm64`. */
export type EngineArch = "x64" | "arm64";

const NODE_PTY = "@lydell/node-pty";
const TYPESCRIPT = "@typescript/typescript";

/** Whether this process's own programs run in the engine's containers unchanged. */
const runsThere = (arch: EngineArch) => process.platform === "linux" && process.arch === arch;

/**
 * Identifies an image: equal as long as the image of this installation on this base would be the
 * same.
 */
export function imageVersion(installation: Installation, arch: EngineArch, base: string): string {
  const headers = installation.headers === undefined ? "" : " headers";
  const hash = createHash("sha256").update(`${process.version}${headers} ${arch} ${base}\0`);
  hash.update(readFileSync(join(installation.npm, "package.json")));
  hash.update(readFileSync(DOCKERFILE));
  for (const part of guestParts(installation)) hashTree(hash, installation.guest, part);
  return hash.digest("hex").slice(0, 16);
}

/** The compiler's output, which is also in the guest's folder. */
const COMPILED = /\.(?:js|d\.ts|map)$/;

/**
 * The entries of the guest's folder that belong in the image: everything that was bundled for it.
 */
const guestParts = ({ guest }: Installation) =>
  readdirSync(guest)
    .filter((name) => !COMPILED.test(name))
    .sort();

function hashTree(hash: Hash, root: string, path: string): void {
  const place = join(root, path);
  if (!statSync(place).isDirectory())
    return void hash.update(`${path}\0`).update(readFileSync(place));
  for (const name of readdirSync(place).sort()) hashTree(hash, root, posix.join(path, name));
}

/**
 * Writes the image's sources to `folder`: the Dockerfile, and Node, npm and the guest for the
 * engine's platform. npm downloads what does not run on this machine (for example on a Mac), with
 * the person's settings.
 */
export async function writeImageContext(
  folder: string,
  installation: Installation,
  arch: EngineArch,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const lay = (from: string, to: string) =>
    cpSync(from, join(folder, to), { recursive: true, dereference: true });
  lay(DOCKERFILE, "Dockerfile");
  lay(installation.npm, "npm");
  for (const part of guestParts(installation))
    lay(join(installation.guest, part), join("guest", part));
  // Headers are beside Node in its archive and in npm's package; other builds may have none.
  const layHeaders = (from: string | undefined) =>
    from === undefined ? mkdirSync(join(folder, "include")) : lay(from, "include");
  if (runsThere(arch)) {
    layHeaders(installation.headers);
    return lay(installation.node, "node");
  }

  const fetched = join(folder, "fetched");
  const native = `${NODE_PTY}-linux-${arch}`;
  const compiler = `${TYPESCRIPT}-linux-${arch}`;
  const own = `${TYPESCRIPT}-${process.platform}-${process.arch}`;
  const node = `node-linux-${arch}`;
  mkdirSync(fetched);
  await run(
    installation.node,
    [
      join(installation.npm, "bin/npm-cli.js"),
      "install",
      `--prefix=${fetched}`,
      // Neither package is for this platform, which is intended.
      "--force",
      "--os=linux",
      `--cpu=${arch}`,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      `${node}@${process.versions.node}`,
      `${native}@${versionOf(installation, NODE_PTY)}`,
      `${compiler}@${versionOf(installation, own)}`,
    ],
    { timeout: FETCH_MS },
  );
  lay(join(fetched, "node_modules", node, "bin/node"), "node");
  layHeaders(join(fetched, "node_modules", node, "include"));
  // Removed, because it is too large to be included twice.
  rmSync(join(folder, "guest/node_modules", own), { recursive: true, force: true });
  for (const name of [native, compiler])
    lay(join(fetched, "node_modules", name), `guest/node_modules/${name}`);
}

/** The version of a package beside the guest. */
function versionOf({ guest }: Installation, name: string): string {
  const text = readFileSync(join(guest, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
