import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import { maxSatisfying, satisfies, validRange } from "semver";
import { readRegistryConfig, type Registry } from "./registry-config.ts";
import { createAsker, type AskRegistry } from "./registry-proxy.ts";

/** Maximum size of a package's metadata in bytes; the largest take half of it. */
const METADATA_LIMIT = 64 * 1024 * 1024;
/** Maximum number of packages that are looked at for one request. */
const PACKAGES_LIMIT = 1_500;
/** Number of packages that are read at the same time. */
const AT_ONCE = 12;

type Ranges = Readonly<Record<string, string>>;

interface Version {
  license?: unknown;
  dependencies?: Ranges;
  optionalDependencies?: Ranges;
  peerDependencies?: Ranges;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean } | undefined>>;
}
interface Metadata {
  "dist-tags"?: Readonly<Record<string, string> & { latest?: string }>;
  versions?: Readonly<Record<string, Version>>;
}

/** What an install would bring. */
export interface ResolvedPackages {
  /** All packages with their versions, those that were asked for among them. */
  versions: ReadonlyMap<string, string>;
  /** Whether the limit of 1,500 packages cut the search short, or the registry did not answer for one. */
  isCut: boolean;
}

/**
 * Reads from this machine's package registry what an install of packages would bring: with their dependencies, the
 * optional ones and peers among them, in the versions that an install without a lock file chooses. Nothing is installed.
 * @param roots names, each with a range, tag or version
 */
export async function resolvePackages(
  env: Record<string, string | undefined>,
  roots: readonly (readonly [name: string, range: string])[],
  signal: AbortSignal,
): Promise<ResolvedPackages> {
  const read = createReader(env, signal);
  const versions = new Map<string, string>();
  const seen = new Set<string>();
  let isCut = false;
  let next = roots.flatMap(realName);
  while (next.length > 0) {
    const batch = next.splice(0, AT_ONCE);
    const found = await Promise.all(
      batch.map(async ([name, range]) => {
        if (seen.has(`${name}@${range}`)) return [];
        seen.add(`${name}@${range}`);
        if (!versions.has(name) && versions.size >= PACKAGES_LIMIT) {
          isCut = true;
          return [];
        }
        const metadata = (await read(name)) as Metadata | undefined;
        const version = metadata && chooseVersion(metadata, range);
        if (metadata === undefined || version === undefined) {
          isCut = true;
          // Named all the same: whoever asks for the root asks for what it declares.
          versions.set(name, versions.get(name) ?? "");
          return [];
        }
        const isKnown = versions.get(name) === version;
        versions.set(name, version);
        return isKnown ? [] : dependenciesOf(metadata.versions![version]!);
      }),
    );
    next = [...next, ...found.flat()];
    signal.throwIfAborted();
  }
  return { versions, isCut };
}

/** A package's licence as its version declares it; undefined if it declares none, or the registry does not say. */
export async function askLicence(
  env: Record<string, string | undefined>,
  name: string,
  version: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const manifest = (await createReader(env, signal)(name, version)) as Version | undefined;
  const { license } = manifest ?? {};
  if (typeof license === "string") return license.slice(0, 200);
  const type = (license as { type?: unknown } | undefined)?.type;
  return typeof type === "string" ? type.slice(0, 200) : undefined;
}

/** Reads a package's metadata, each once; undefined if the registry does not give it. */
function createReader(env: Record<string, string | undefined>, signal: AbortSignal) {
  const config = readRegistryConfig(env);
  const outside = { proxies: config.proxies, ca: config.ca };
  const askers = new Map<Registry, AskRegistry>();
  const known = new Map<string, Promise<unknown>>();
  async function read(name: string, version?: string): Promise<unknown> {
    const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")).toLowerCase() : undefined;
    const registry = config.scopes.find((one) => one.scope.toLowerCase() === scope)?.registry ?? config; // prettier-ignore
    const ask = askers.get(registry) ?? createAsker(registry, outside);
    askers.set(registry, ask);
    const path = [name.replace("/", "%2f"), ...(version === undefined ? [] : [version])].join("/");
    const accept = version === undefined ? "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8" : "application/json"; // prettier-ignore
    const inside = { method: "GET", headers: { accept } };
    return readJson(await ask(new URL(path, registry.url), inside, signal));
  }
  return (name: string, version?: string) => {
    const key = `${name} ${version ?? ""}`;
    const reading = known.get(key) ?? read(name, version).catch(() => undefined);
    known.set(key, reading);
    return reading;
  };
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  if (response.statusCode !== 200) {
    response.resume();
    return undefined;
  }
  const body = response.headers["content-encoding"] === "gzip" ? response.pipe(createGunzip()) : response; // prettier-ignore
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > METADATA_LIMIT) return undefined;
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString());
  } finally {
    response.destroy();
  }
}

/** The version that npm chooses: the latest if the range allows it, and otherwise the highest. */
function chooseVersion({ "dist-tags": tags = {}, versions = {} }: Metadata, range: string) {
  const { latest } = tags;
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined;
  if (tagged !== undefined && Object.hasOwn(versions, tagged)) return tagged;
  if (validRange(range) === null) return undefined;
  if (latest !== undefined && Object.hasOwn(versions, latest) && satisfies(latest, range))
    return latest;
  return maxSatisfying(Object.keys(versions), range) ?? undefined;
}

function dependenciesOf(version: Version): [string, string][] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = version; // prettier-ignore
  const peers = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.entries({ ...dependencies, ...optionalDependencies }), ...peers].flatMap(
    realName,
  );
}

/** The package behind an alias. Dependencies that come from no registry are left out. */
function realName([name, range]: readonly [string, string]): [string, string][] {
  const [, alias, aliased = "latest"] = /^npm:((?:@[^/@]+\/)?[^@]+)(?:@(.+))?$/.exec(range) ?? [];
  if (alias !== undefined) return [[alias, aliased]];
  return /[:/]/.test(range) ? [] : [[name, range]];
}
