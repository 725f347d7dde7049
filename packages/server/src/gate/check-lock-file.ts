import { isCopyleft } from "./copyleft.ts";
import type { Found } from "./types.ts";

const FOLDER = "node_modules/";

interface Locked {
  /** Where it is installed under another one. */
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: unknown;
  link?: boolean;
  dev?: boolean;
  inBundle?: boolean;
}

const REGISTRIES = ["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io"];

/** Names and versions of the packages in a `package-lock.json` that go out with the app; empty where it cannot be read. */
export function packagesIn(text: string): Record<string, string[]> {
  const versions: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [place, one] of Object.entries(packagesOf(text) ?? {})) {
    const name = one.name ?? place.slice(place.lastIndexOf(FOLDER) + FOLDER.length);
    if (!place.includes(FOLDER) || one.link || one.dev || one.version === undefined) continue;
    // From a repository or a folder: the registry's package of that name is another.
    if (one.resolved !== undefined && !/^https?:/.test(one.resolved)) continue;
    const known = (versions[name] ??= []);
    if (!known.includes(one.version)) known.push(one.version);
  }
  return versions;
}

/** What a `package-lock.json` says of the packages that go out: their licences, and whether they are those that were meant. */
export function checkLockFile(text: string): { found: Found[]; unchecked: string[] } {
  const packages = packagesOf(text);
  if (!packages)
    return {
      found: [],
      unchecked: ["The lock file could not be read, so its packages were not checked."],
    };
  const entries = Object.entries(packages).filter(
    ([place, { link }]) => place.includes(FOLDER) && link !== true,
  );
  const usual = usualHost(entries.map(([, one]) => one));
  const found = entries.flatMap(([place, one]) => [
    ...ofOrigin(place, one, usual),
    ...ofLicence(place, one),
  ]);
  return { found, unchecked: [] };
}

function packagesOf(text: string): Record<string, Locked> | undefined {
  try {
    const { packages } = JSON.parse(text) as { packages?: Record<string, Locked> };
    return typeof packages === "object" && packages !== null ? packages : undefined;
  } catch {
    return undefined;
  }
}

const nameOf = (place: string, { version }: Locked) => {
  const name = place.slice(place.lastIndexOf(FOLDER) + FOLDER.length);
  return version === undefined ? name : `${name}@${version}`;
};

const hostOf = ({ resolved = "" }: Locked) =>
  /^https?:/.test(resolved) && URL.canParse(resolved) ? new URL(resolved).hostname : undefined;

/** A registry of one's own may be where all of them come from. */
function usualHost(all: Locked[]): string | undefined {
  const counts = new Map<string, number>();
  for (const host of all.flatMap((one) => hostOf(one) ?? []))
    counts.set(host, (counts.get(host) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] > all.length / 2 && first[1] > 1 ? first[0] : undefined;
}

function ofOrigin(place: string, one: Locked, usual: string | undefined): Found[] {
  const host = hostOf(one);
  if (host === undefined || one.inBundle === true) return [];
  const where = `package-lock.json: ${nameOf(place, one)}`;
  const found = (severity: Found["severity"], title: string, todo: string): Found => ({
    check: "packages",
    severity,
    title,
    where,
    todo,
  });
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host);
  if (one.resolved!.startsWith("http:") && !isLocal && host !== usual)
    return [
      found(
        "serious",
        `A package is fetched from ${host} without encryption.`,
        "Take it from the registry: anybody on the way could put another package in its place.",
      ),
    ];
  if (one.integrity === undefined)
    return [
      found(
        "serious",
        "A package has no checksum in the lock file.",
        "Remove its entry and have npm install write it anew: without a checksum another package could come under its name.",
      ),
    ];
  if (host !== usual && !REGISTRIES.includes(host))
    return [
      found(
        "minor",
        `A package comes from ${host}, as no other does.`,
        "Take it from the registry, or make sure that it is meant to come from there.",
      ),
    ];
  return [];
}

function ofLicence(place: string, one: Locked): Found[] {
  // What only builds or tests the app is not passed on with it.
  if (one.dev === true || typeof one.license !== "string") return [];
  // No licence is that long, and brackets within brackets are read to any depth.
  if (one.license.length > 1_000 || !isCopyleft(one.license)) return [];
  return [
    {
      check: "licences",
      severity: "serious",
      title: `A package is under ${one.license.slice(0, 60)}, which asks for your sources too.`,
      where: `package-lock.json: ${nameOf(place, one)}`,
      todo: "Use another package for it, or publish only if you mean to give the app's sources under that licence.",
    },
  ];
}
