import {
  fromUrl,
  isAtCommit,
  isChecksum,
  isWeak,
  reached,
  tableOf,
  type LockedPackage,
  type LockedPackages,
} from "./locked-packages.ts";
import type { LockFile } from "./lock-files.ts";
import { readBunLock } from "./read-bun-lock.ts";
import { readPnpmLock } from "./read-pnpm-lock.ts";
import { readYarnLock } from "./read-yarn-lock.ts";

/** The packages in a lock file; undefined if it cannot be parsed. */
export function parse({
  file,
  text,
  manifest,
  licences,
  imported,
}: LockFile): LockedPackages | undefined {
  try {
    const packages =
      file === "package-lock.json"
        ? readNpmLock(text)
        : file === "pnpm-lock.yaml"
          ? readPnpmLock(text)
          : file === "yarn.lock"
            ? readYarnLock(text, manifest)
            : readBunLock(text);
    for (const one of packages) if (isAtCommit(one.from)) one.hasChecksum = true;
    const goesOut = reached(imported ?? [], (name) => packages.filter((one) => one.name === name).flatMap(({ needs = [] }) => needs)); // prettier-ignore
    for (const one of packages) {
      // A bundler includes imported packages even if they are development dependencies.
      if (goesOut.has(one.name)) one.isDev = false;
      const licence = one.licence ?? licences?.get(`${one.name}@${one.version}`);
      if (licence !== undefined) one.licence = licence;
    }
    return { file, packages };
  } catch {
    return undefined;
  }
}

/** The declared licence, if any. Old packages use `{ "type": "MIT", "url": … }`, or a list of alternatives. */
function licenceOf(licence: unknown): { licence?: string } {
  const each = (Array.isArray(licence) ? licence : [licence]).map((one) =>
    typeof one === "string" ? one : tableOf(one)["type"],
  );
  const licences = each.filter((one) => typeof one === "string");
  return licences.length > 0 ? { licence: licences.join(" OR ") } : {};
}

const FOLDER = "node_modules/";

function readNpmLock(text: string): LockedPackage[] {
  const packages = tableOf(JSON.parse(text))["packages"];
  if (typeof packages !== "object" || packages === null) throw new Error("It names no packages.");
  return Object.entries(packages as Record<string, unknown>).flatMap(([place, value]) => {
    const one = tableOf(value);
    if (!place.includes(FOLDER) || one["link"] === true) return [];
    const name = one["name"];
    return {
      name:
        typeof name === "string" ? name : place.slice(place.lastIndexOf(FOLDER) + FOLDER.length),
      version: typeof one["version"] === "string" ? one["version"] : "",
      // A bundled dependency comes with its parent, and some npm versions do not record a package's
      // origin.
      from:
        one["resolved"] === undefined ? "registry" : fromUrl(String(one["resolved"]), "elsewhere"),
      isWeak: isWeak(one["integrity"]),
      needs: ["dependencies", "optionalDependencies"].flatMap((kind) => Object.keys(tableOf(one[kind]))), // prettier-ignore
      hasChecksum:
        isChecksum(one["integrity"]) || one["resolved"] === undefined || one["inBundle"] === true,
      ...licenceOf(one["license"] ?? one["licenses"]),
      isDev: one["dev"] === true,
    };
  });
}
