import { isEnvironmentFile, isSqliteFile } from "@treadle/protocol/project-path";

/** Installed packages, repositories and compiled code, which are never a project's own files. */
const NEVER = new Set(
  "node_modules bower_components .pnpm-store .git .hg .svn __pycache__".split(" "),
);

/**
 * What tools call the folders that they keep their state in, at any depth. A hint: it decides only where nothing says
 * more of a file (see `sources/sources.ts`).
 */
const CACHES = new Set(
  (
    ".yarn .cache .vite .turbo .parcel-cache .next .nuxt .output .svelte-kit .astro .vercel .netlify .npm .venv " +
    // Next.js writes it anew at each start, with other words for a build than for its dev server.
    "next-env.d.ts"
  ).split(" "),
);

/** What builds and tests call the folders of the project's root that they write into. A hint as well. */
const OUTPUT = new Set(["dist", "build", "out", "coverage", "storybook-static"]);

/**
 * The top folders that a build writes what runs into. An app that asks where its own file is keeps beside it what people
 * hand in, too.
 */
export const isOutputFolder = (name: string): boolean =>
  (OUTPUT.has(name) && name !== "coverage") || name === ".output";

/** What SQLite keeps beside a database while it is open. */
const BESIDE_DATABASE = /\.(?:db|db3|sqlite|sqlite3)-(?:wal|shm|journal)$/;

/** What a repository that was made inside is called once git is not to obey it; another of that name has more behind it. */
export const SET_ASIDE = ".git-made-in-sandbox";

/** What the guest itself writes before it renames it into place, and the folder that it does so in. */
export const TEMPORARY_PREFIX = ".treadle-writing";

/** Whether a file or folder of this name is never one of the project's own, at any depth. */
export function isNeverOwn(name: string): boolean {
  return (
    NEVER.has(name) ||
    // On a disk that is blind to case it is the repository, however it is spelled.
    (name.length === 4 && name.toLowerCase() === ".git") ||
    name.startsWith(TEMPORARY_PREFIX) ||
    name.startsWith(SET_ASIDE) ||
    BESIDE_DATABASE.test(name)
  );
}

/** Whether a folder of this name holds what a package manager has installed, or compiled code that is made anew. */
export const isInstalledFolder = (name: string): boolean =>
  NEVER.has(name) && !name.startsWith(".");

/** Whether a path leads through a name that is never the project's own. */
export const leadsThroughForeign = (path: string): boolean => path.split("/").some(isNeverOwn);

/** What a name alone suggests: the output of a build, or the state of a tool. */
export function suggestedKind(name: string, atRoot: boolean): "output" | "cache" | undefined {
  if (atRoot && (OUTPUT.has(name) || name === ".output")) return "output";
  return CACHES.has(name) ? "cache" : undefined;
}

/**
 * Whether a file is left out of a project, going by its names alone: for a place in which nothing else is known of it. In a
 * workspace, `sources/sources.ts` decides.
 * @param path project-relative, without a leading `/`; a file or a folder
 */
export function isIgnored(path: string): boolean {
  return path
    .split("/")
    .some((name, index) => isNeverOwn(name) || suggestedKind(name, index === 0) !== undefined);
}

/** The names themselves, for a reader elsewhere. */
export const ignoredNames = () => ({ anywhere: [...NEVER, ...CACHES], atRoot: [...OUTPUT] });

/** Names that are never the project's own, in the patterns that ripgrep takes. */
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
