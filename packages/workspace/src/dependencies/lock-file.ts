import { basename } from "node:path/posix";
import { satisfies, validRange } from "semver";
import { canonical, type Wanted } from "./wanted-packages.ts";

interface LockEntry {
  /** The package's real name, if it is installed under an alias. */
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** The entries of a package-lock.json, by path. */
export type LockEntries = ReadonlyMap<string, LockEntry>;

/** Parses a package-lock.json of version 2 or 3; undefined if it is invalid. */
export function readLock(text: string): LockEntries | undefined {
  try {
    const { packages } = JSON.parse(text) as { packages?: Record<string, LockEntry> };
    if (!packages) return undefined;
    return new Map(Object.entries(packages).filter(([place]) => place !== ""));
  } catch {
    return undefined;
  }
}

/** Whether every entry of `part` is identical in `all`, so that npm would install the same files for both. */
export function holds(all: LockEntries, part: LockEntries): boolean {
  for (const [place, entry] of part) {
    const other = all.get(place);
    if (!other || identity(other, place) !== identity(entry, place)) return false;
  }
  return true;
}

export const sameEntries = (a: LockEntries, b: LockEntries): boolean =>
  a.size === b.size && holds(a, b);

/**
 * Identifies the archive that is unpacked. A package's usual address adds nothing to name and
 * version, and only some managers write it; any other address is a different package.
 */
function identity(entry: LockEntry, place: string): string {
  const { version, resolved, integrity, link, hasInstallScript = false } = entry;
  const name = nameAt(place);
  const file = `${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
  const usual = resolved === undefined || resolved.endsWith(`/${name}/-/${file}`);
  const alias = entry.name === name ? undefined : entry.name;
  return JSON.stringify([alias, version, integrity, link, hasInstallScript, usual ? "" : resolved]);
}

/**
 * The package name implied by a path, which lock files leave out. A workspace's path is its folder.
 */
function nameAt(place: string): string {
  const at = place.lastIndexOf("node_modules/");
  return at < 0 ? basename(place) : place.slice(at + "node_modules/".length);
}

/** Whether two lock files are identical except for the project's own entry. */
export const sameText = (a: LockEntries, b: LockEntries): boolean =>
  canonical(Object.fromEntries(a)) === canonical(Object.fromEntries(b));

/**
 * Whether every archive has a digest; only then does equality of two lock files prove anything.
 * Workspaces have none.
 */
export const namesEveryArchive = (lock: LockEntries): boolean =>
  [...lock].every(
    ([place, { integrity, link }]) =>
      integrity !== undefined || link === true || !place.includes("node_modules/"),
  );

/** Whether the packages of a lock file satisfy the requested ranges. */
export function fits(lock: LockEntries, ranges: Wanted["dependencies"]): boolean {
  return Object.entries(ranges).every(([name, range]) => {
    const version = lock.get(`node_modules/${name}`)?.version;
    if (version === undefined) return false;
    // A tag such as `latest` may refer to another version by now, but no specific one was
    // requested.
    if (range === "latest" || range === "*" || range === "") return true;
    return validRange(range) !== null && satisfies(version, range);
  });
}

/** Fields of a lock file's entry for a package of the project itself. */
const OWN_FIELDS = [
  "name",
  "version",
  "license",
  "workspaces",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/**
 * Rewrites a lock file for a project: with the names of the project and its workspaces, and their
 * requirements.
 * @param workspaceTexts the package.json of each workspace, by its folder
 */
export function lockFor(
  lock: string,
  manifestText: string,
  workspaceTexts: ReadonlyMap<string, string> = new Map(),
): string {
  const { packages = {}, ...facts } = JSON.parse(lock) as { packages?: Record<string, unknown> };
  const { "": _root, ...others } = packages;
  for (const [folder, text] of workspaceTexts) {
    const { name, ...fields } = pick(text, OWN_FIELDS);
    others[folder] = name === nameAt(folder) ? fields : { name, ...fields };
  }
  const root = pick(manifestText, OWN_FIELDS);
  const own = {
    ...facts,
    ...pick(manifestText, ["name", "version"]),
    packages: { "": root, ...others },
  };
  return `${JSON.stringify(own, null, 2)}\n`;
}

function pick(manifestText: string, fields: readonly string[]): Record<string, unknown> {
  const manifest = JSON.parse(manifestText.replace(/^\uFEFF/, "")) as Record<string, unknown>;
  return Object.fromEntries(
    fields.flatMap((field) =>
      manifest[field] === undefined ? [] : [[field, manifest[field]] as const],
    ),
  );
}
