import { parse } from "yaml";
import {
  fromUrl,
  isChecksum,
  isWeak,
  reached,
  tableOf,
  type LockedPackage,
  type Table,
} from "./locked-packages.ts";

/** `name@version` without peers: `/react-dom@19.0.0(react@19.0.0)`. */
const bare = (key: string) => key.replace(/^\//, "").replace(/\(.*$/, "");

/**
 * Parses a `pnpm-lock.yaml`, version 6 or later.
 * @throws if it cannot be parsed
 */
export function readPnpmLock(text: string): LockedPackage[] {
  const lock = tableOf(parse(text, { maxAliasCount: 0 }));
  const snapshots = tableOf(lock["snapshots"]);
  const importers = Object.values(tableOf(lock["importers"] ?? { ".": lock }));
  const keyOf = (name: string, version: unknown) => {
    const reference = typeof version === "object" ? tableOf(version)["version"] : version;
    // An alias is listed under the package's real name.
    return /^(?:\/|@?[^@(]+@)/.test(String(reference)) ? String(reference) : `${name}@${reference}`;
  };
  const dependenciesOf = (entry: unknown) =>
    ["dependencies", "optionalDependencies"].flatMap((kind) =>
      Object.entries(tableOf(tableOf(entry)[kind])).map(([name, version]) => keyOf(name, version)),
    );
  const goesOut = new Set(
    [...reached(importers.flatMap(dependenciesOf), (key) => dependenciesOf(snapshots[key]))].map(
      bare,
    ),
  );
  return Object.entries(tableOf(lock["packages"])).flatMap(([key, value]) => {
    const one = tableOf(value);
    const [, name = "", version = ""] = /^(@?[^@]+)@(.+)$/.exec(bare(key)) ?? [];
    if (name === "") return [];
    const { integrity, tarball, directory, repo } = tableOf(one["resolution"]) as Table;
    return {
      name,
      version: typeof one["version"] === "string" ? one["version"] : version,
      from:
        directory !== undefined || repo !== undefined
          ? "elsewhere"
          : fromUrl(String(tarball ?? ""), "registry"),
      hasChecksum: isChecksum(integrity),
      isWeak: isWeak(integrity),
      // Before version 9 each package contains this flag itself.
      isDev: typeof one["dev"] === "boolean" ? one["dev"] : !goesOut.has(bare(key)),
    };
  });
}
