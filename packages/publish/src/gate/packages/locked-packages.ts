/** A package that a lock file names. */
export interface LockedPackage {
  name: string;
  version: string;
  /**
   * `registry`: whichever is in use; a URL: that of its archive; `elsewhere`: a repository, a folder, or what the lock file
   * does not say.
   */
  from: "registry" | "elsewhere" | URL;
  hasChecksum: boolean;
  /** Whether that is one by which another package could pass for it. */
  isWeak?: boolean;
  /** Names of what it wants itself, where the lock file says it there. */
  needs?: readonly string[];
  /** As package.json says it; absent where it is not known. */
  licence?: string;
  /** Whether it only builds or tests the app, and so does not go out with it. */
  isDev: boolean;
}

export interface LockedPackages {
  /** The lock file's name, for people. */
  file: string;
  packages: LockedPackage[];
}

/** What reads as an address of an archive, or of a repository; or what stands for that. */
export const fromUrl = (text: string, otherwise: LockedPackage["from"]): LockedPackage["from"] =>
  /^(?:https?|git(?:\+(?:https?|ssh))?):/i.test(text) && URL.canParse(text)
    ? new URL(text)
    : otherwise;

/** A repository, at a commit whose name is made of all that is in it. */
export const isRepository = (from: LockedPackage["from"]): boolean =>
  from instanceof URL && /^git/i.test(from.protocol);
export const isAtCommit = (from: LockedPackage["from"]): boolean =>
  from instanceof URL && isRepository(from) && /^#(?:commit=)?[0-9a-f]{40}$/.test(from.hash);

/** Some write a checksum that is none. */
export const isWeak = (integrity: unknown) =>
  typeof integrity === "string" && /^(?:sha1|md5)-\S+$/.test(integrity);
export const isChecksum = (value: unknown) => typeof value === "string" && value !== "";

/** All that is reached from these, each once. */
export function reached(from: Iterable<string>, next: (key: string) => Iterable<string>) {
  const known = new Set<string>(from);
  // What is added while it is gone through is gone through too.
  for (const key of known) for (const other of next(key)) known.add(other);
  return known;
}

export type Table = Record<string, unknown>;

/** What is no table has no entries. */
export const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};

/** Names of what goes out, with the ranges that a package.json asks for. */
export function dependenciesOf(manifest: string): [string, string][] {
  const read = tableOf(JSON.parse(manifest));
  return ["dependencies", "optionalDependencies"].flatMap((kind) =>
    Object.entries(tableOf(read[kind])).flatMap(([name, range]): [string, string][] =>
      typeof range === "string" ? [[name, range]] : [],
    ),
  );
}
