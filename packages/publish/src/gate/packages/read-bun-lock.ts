import { parse } from "yaml";
import { fromUrl, reached, tableOf, type LockedPackage } from "./locked-packages.ts";

/**
 * Parses a `bun.lock`: JSON with trailing commas, which a YAML parser accepts.
 * @throws if it cannot be parsed
 */
export function readBunLock(text: string): LockedPackage[] {
  const lock = tableOf(parse(text, { maxAliasCount: 0 }));
  const entries = new Map(
    Object.entries(tableOf(lock["packages"])).filter((pair): pair is [string, unknown[]] =>
      Array.isArray(pair[1]),
    ),
  );
  /** Names of an entry's dependencies. Bun also installs peer dependencies, except optional ones. */
  const names = (entry: unknown) => {
    const one = tableOf(entry);
    const left = new Set(Array.isArray(one["optionalPeers"]) ? one["optionalPeers"] : []);
    return ["dependencies", "optionalDependencies", "peerDependencies"]
      .flatMap((kind) => Object.keys(tableOf(one[kind])))
      .filter((name) => !left.has(name));
  };
  /** The key of a dependency: a nested version is listed as `a/b`, otherwise `b` applies. */
  const find = (name: string, above: string) => {
    for (let at = above; at !== ""; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "")
      if (entries.has(`${at}/${name}`)) return `${at}/${name}`;
    return entries.has(name) ? name : undefined;
  };
  const roots = Object.values(tableOf(lock["workspaces"])).flatMap((one) =>
    names(one).flatMap((name) => find(name, "") ?? []),
  );
  const goesOut = reached(roots, (key) =>
    names(entries.get(key)?.find((part) => typeof part === "object")).flatMap(
      (name) => find(name, key) ?? [],
    ),
  );
  return [...entries].flatMap(([key, parts]) => {
    const [, name = "", version = ""] = /^(@?[^@]+)@(.+)$/.exec(String(parts[0])) ?? [];
    if (name === "" || version.startsWith("workspace:")) return [];
    const isFromRegistry = /^\d/.test(version);
    return {
      name,
      version,
      from: isFromRegistry
        ? fromUrl(String(parts[1] ?? ""), "registry")
        : fromUrl(version, "elsewhere"),
      hasChecksum: parts.some((part) => typeof part === "string" && /^sha\d+-/.test(part)),
      isDev: !goesOut.has(key),
    };
  });
}
