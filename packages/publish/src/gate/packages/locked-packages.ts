/** A package in a lock file. */
export interface LockedPackage {
  name: string;
  version: string;
  /**
   * `registry`: the configured one; a URL: of its archive; `elsewhere`: a repository, a folder, or
   * unknown.
   */
  from: "registry" | "elsewhere" | URL;
  hasChecksum: boolean;
  /** Whether the checksum's algorithm is weak enough to forge a package. */
  isWeak?: boolean;
  /** Names of its dependencies, if the lock file lists them there. */
  needs?: readonly string[];
  /** As in package.json; absent if unknown. */
  licence?: string;
  /** Whether it only builds or tests the app, and is not distributed. */
  isDev: boolean;
}

export interface LockedPackages {
  /** The lock file's name, for display. */
  file: string;
  packages: LockedPackage[];
}

/** Parses the URL of an archive or a repository, or returns the fallback. */
export const fromUrl = (text: string, otherwise: LockedPackage["from"]): LockedPackage["from"] =>
  /^(?:https?|git(?:\+(?:https?|ssh))?):/i.test(text) && URL.canParse(text)
    ? new URL(text)
    : otherwise;

/** Whether a package comes from a git repository. */
export const isRepository = (from: LockedPackage["from"]): boolean =>
  from instanceof URL && /^git/i.test(from.protocol);
/** Whether a package comes from a git repository at a commit, whose hash covers its content. */
export const isAtCommit = (from: LockedPackage["from"]): boolean =>
  from instanceof URL && isRepository(from) && /^#(?:commit=)?[0-9a-f]{40}$/.test(from.hash);

/** Whether a checksum's algorithm is weak enough to forge a package. */
export const isWeak = (integrity: unknown) =>
  typeof integrity === "string" && /^(?:sha1|md5)-\S+$/.test(integrity);
/** Whether a value is a checksum; some lock files contain empty ones. */
export const isChecksum = (value: unknown) => typeof value === "string" && value !== "";

/** The given keys and everything reachable from them by `next`, each once. */
export function reached(from: Iterable<string>, next: (key: string) => Iterable<string>) {
  const known = new Set<string>(from);
  // Items added during the iteration are visited as well.
  for (const key of known) for (const other of next(key)) known.add(other);
  return known;
}

export type Table = Record<string, unknown>;

/** The value if it is an object and not a list, or else an empty object. */
export const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};

/**
 * Names and version ranges of the runtime dependencies in a package.json.
 * @throws SyntaxError if it is not JSON
 */
export function dependenciesOf(manifest: string): [string, string][] {
  const read = tableOf(JSON.parse(manifest));
  return ["dependencies", "optionalDependencies"].flatMap((kind) =>
    Object.entries(tableOf(read[kind])).flatMap(([name, range]): [string, string][] =>
      typeof range === "string" ? [[name, range]] : [],
    ),
  );
}
