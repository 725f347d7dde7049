import { parse } from "yaml";
import {
  dependenciesOf,
  fromUrl,
  isChecksum,
  reached,
  tableOf,
  type LockedPackage,
  type Table,
} from "./locked-packages.ts";

/**
 * Parses a `yarn.lock` of any Yarn version.
 * @throws if it cannot be parsed
 */
export function readYarnLock(text: string, manifest: string): LockedPackage[] {
  const isClassic = !/^__metadata:/m.test(text);
  const lock = isClassic ? readClassic(text) : tableOf(parse(text, { maxAliasCount: 0 }));
  /** The entry for each requested range, such as `react@^19.0.0`. */
  const entries = new Map<string, Table>();
  for (const [key, value] of Object.entries(lock))
    for (const asked of key.split(/,\s*/)) entries.set(asked, tableOf(value));
  const find = (name: string, range: string) =>
    [`${name}@${range}`, `${name}@npm:${range}`].find((key) => entries.has(key));
  const isRequested = (pairs: [string, unknown][]) =>
    pairs.flatMap(([name, range]) => find(name, String(range)) ?? []);
  const goesOut = new Set(
    [
      ...reached(isRequested(dependenciesOf(manifest)), (key) => {
        const one = entries.get(key);
        return isRequested([
          ...Object.entries(tableOf(one?.["dependencies"])),
          ...Object.entries(tableOf(one?.["optionalDependencies"])),
        ]);
      }),
    ].map((key) => entries.get(key)),
  );
  return Object.entries(lock).flatMap(([key, value]) => {
    const one = tableOf(value);
    const version = String(one["version"] ?? "");
    const resolution = String(one["resolution"] ?? one["resolved"] ?? "");
    const [, name = ""] =
      /^(@?[^@]+)@/.exec(isClassic ? (/@npm:(.+)/.exec(key)?.[1] ?? key) : resolution) ?? [];
    if (name === "" || /@workspace:/.test(resolution)) return [];
    return {
      name,
      version,
      from: isClassic ? fromUrl(resolution, "elsewhere") : berryFrom(resolution),
      // Old Yarn 1 versions append the checksum to the address; newer ones omit it for other
      // platforms.
      hasChecksum:
        isChecksum(one["integrity"]) ||
        isChecksum(one["checksum"]) ||
        one["conditions"] !== undefined ||
        /#[0-9a-f]{40}$/.test(resolution),
      isDev: !goesOut.has(one),
    };
  });
}

function berryFrom(resolution: string): LockedPackage["from"] {
  const archive = /::__archiveUrl=([^&]+)/.exec(resolution)?.[1];
  if (archive !== undefined) return fromUrl(decodeURIComponent(archive), "elsewhere");
  return /@npm:/.test(resolution)
    ? "registry"
    : fromUrl(resolution.replace(/^@?[^@]+@/, ""), "elsewhere");
}

const MOST_LINES = 500_000;

/**
 * Parses Yarn 1's own format: two spaces of indentation, values after a space, quoted if necessary.
 */
function readClassic(text: string): Table {
  const lock: Table = {};
  let entry: Table = {};
  let inside: Table = entry;
  for (const line of text.split("\n", MOST_LINES)) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const depth = line.length - line.trimStart().length;
    const words = [
      ...line.trim().matchAll(/"((?:[^"\\]|\\.)*)"|([^\s",:]+(?:[:][^\s",:]+)*)/g),
    ].map(([, quoted, word]) => quoted ?? word ?? "");
    if (depth === 0) {
      entry = {};
      inside = entry;
      lock[words.join(", ")] = entry;
    } else if (line.endsWith(":")) {
      inside = {};
      entry[words[0] ?? ""] = inside;
    } else (depth === 2 ? entry : inside)[words[0] ?? ""] = words[1] ?? "";
  }
  if (Object.keys(lock).length === 0) throw new Error("No entry of a yarn.lock was found.");
  return lock;
}
