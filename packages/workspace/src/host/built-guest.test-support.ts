import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** Sources of the guest's bundle. */
const SOURCES = [
  ...[
    "guest",
    "data-conventions",
    "wire",
    "limits",
    "repositories",
    "sources",
    "package-managers",
  ].map((name) => `src/${name}`),
  ...["ignored", "named-files", "paths", "remove-deep", "types"].map((name) => `src/${name}.ts`),
  "../protocol/src/project-path",
  "../app-database/src/inside",
  "build-guest.mjs",
];

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Whether `dist/guest` exists and is newer than its sources. */
function isBuilt(): boolean {
  const built = statSync(join(home, "dist/guest/guest.mjs"), { throwIfNoEntry: false });
  if (!built) return false;
  return SOURCES.every((source) => newest(join(home, source)) <= built.mtimeMs);
}

/**
 * Builds the guest if it is missing or outdated; of several test files at once, one builds and the
 * others wait.
 */
export function ensureGuest(): void {
  if (isBuilt()) return;
  mkdirSync(join(home, "dist"), { recursive: true });
  const script = join(home, "build-guest.mjs");
  const lock = join(home, "dist/.guest-lock");
  const built = spawnSync(
    "flock",
    [lock, process.execPath, script, "--if-older-than", String(Date.now())],
    {
      encoding: "utf8",
    },
  );
  if (built.status !== 0) throw new Error(`the guest could not be built: ${built.stderr}`);
}
