import { isEnvironmentFile, isSqliteFile } from "@treadle/protocol/project-path";

/**
 * Names of installed packages, repositories and compiled code, which are never a project's own
 * files.
 */
const NEVER = new Set(
  "node_modules bower_components .pnpm-store .git .hg .svn __pycache__".split(" "),
);

/**
 * Usual names of tools' state folders at any depth. A hint that counts only if no other rule
 * decides (see `sources/sources.ts`).
 */
const CACHES = new Set(
  (
    ".yarn .cache .vite .turbo .parcel-cache .next .nuxt .output .svelte-kit .astro .vercel .netlify .npm .venv " +
    // Next.js rewrites it at each start, differently for a build than for its dev server.
    "next-env.d.ts"
  ).split(" "),
);

/** Usual names of output folders of builds and tests at the project's root. A hint as well. */
const OUTPUT = new Set(["dist", "build", "out", "coverage", "storybook-static"]);

/**
 * Root folders for the executable output of builds. An app that locates files relative to its own
 * also stores uploads there.
 */
export const isOutputFolder = (name: string): boolean =>
  (OUTPUT.has(name) && name !== "coverage") || name === ".output";

/** Files that SQLite keeps beside an open database. */
const BESIDE_DATABASE = /\.(?:db|db3|sqlite|sqlite3)-(?:wal|shm|journal)$/;

/** Name given to a repository made in the sandbox, so that git ignores it; further ones have a suffix. */
export const SET_ASIDE = ".git-made-in-sandbox";

/** Prefix of the guest's temporary files and of their folder. */
export const TEMPORARY_PREFIX = ".treadle-writing";

/** Whether a file or folder of this name is never part of a project, at any depth. */
export function isNeverOwn(name: string): boolean {
  return (
    NEVER.has(name) ||
    // On a case-insensitive disk, any spelling is the repository.
    (name.length === 4 && name.toLowerCase() === ".git") ||
    name.startsWith(TEMPORARY_PREFIX) ||
    name.startsWith(SET_ASIDE) ||
    BESIDE_DATABASE.test(name)
  );
}

/**
 * Whether a folder of this name contains packages installed by a package manager, or compiled code.
 */
export const isInstalledFolder = (name: string): boolean =>
  NEVER.has(name) && !name.startsWith(".");

/** Whether a path contains a name that is never part of a project. */
export const leadsThroughForeign = (path: string): boolean => path.split("/").some(isNeverOwn);

/** The kind that a name alone suggests: build output, or the state of a tool. */
export function suggestedKind(name: string, atRoot: boolean): "output" | "cache" | undefined {
  if (atRoot && (OUTPUT.has(name) || name === ".output")) return "output";
  return CACHES.has(name) ? "cache" : undefined;
}

/**
 * Whether a file is left out of a project, judged by its path alone: for places where nothing else
 * is known. In a workspace, `sources/sources.ts` decides.
 * @param path project-relative, without a leading `/`; a file or a folder
 */
export function isIgnored(path: string): boolean {
  return path
    .split("/")
    .some((name, index) => isNeverOwn(name) || suggestedKind(name, index === 0) !== undefined);
}

/** The names themselves, for use elsewhere. */
export const ignoredNames = () => ({ anywhere: [...NEVER, ...CACHES], atRoot: [...OUTPUT] });

/** Names that are never part of a project, as patterns for ripgrep. */
export function foreignGlobs(): string[] {
  return [
    ...[...NEVER].map((name) => `!**/${name}`),
    "!**/.[gG][iI][tT]",
    "!**/*.{db,db3,sqlite,sqlite3}-{wal,shm,journal}",
    `!**/${TEMPORARY_PREFIX}*`,
    `!**/${SET_ASIDE}*`,
  ];
}

/** `.env`, `.env.local`, … in any folder: left out of checkpoints; revisions contain only a keyed digest of them. */
export function isSecretFile(path: string): boolean {
  return isEnvironmentFile(path);
}

/**
 * Data of the running app: SQLite's files, and everything in a folder `.data`. It is shown and exported, but is not part
 * of revisions or checkpoints: using the app does not change what was proven, and restoring older sources keeps data
 * entered since. Replacing a database under an open connection would also corrupt it.
 */
export function isDataFile(path: string): boolean {
  return isSqliteFile(path) || /(?:^|\/)\.data(?:\/|$)/i.test(path);
}
