import { isSqliteFile } from "@treadle/protocol/project-path";

/** Folders that are neither listed, watched nor part of a revision, at any depth: what tools make and can make again. */
const ANYWHERE = new Set(
  (
    "node_modules bower_components .git .hg .svn .pnpm-store .yarn " +
    ".cache .vite .turbo .parcel-cache .next .nuxt .output .svelte-kit " +
    ".astro .vercel .netlify .npm __pycache__ .venv coverage " +
    // Next.js writes it anew at each start, with other words for a build than for its dev server.
    "next-env.d.ts"
  ).split(" "),
);

/** Build output; only at the project's root, since deeper down a folder of that name may be somebody's source. */
const AT_ROOT = new Set(["dist", "build", "out", "storybook-static"]);

/**
 * The top folders that a build writes what runs into. An app that asks where its own file is keeps beside it what people
 * hand in, too.
 */
export const isOutputFolder = (name: string): boolean => AT_ROOT.has(name) || name === ".output";

/** What SQLite keeps beside a database while it is open. */
const BESIDE_DATABASE = /\.(?:db|db3|sqlite|sqlite3)-(?:wal|shm|journal)$/;

/** What a repository that was made inside is called once git is not to obey it; another of that name has more behind it. */
export const SET_ASIDE = ".git-made-in-sandbox";

/** What the guest itself writes before it renames it into place, and the folder that it does so in. */
export const TEMPORARY_PREFIX = ".treadle-writing";

/** @param path project-relative, without a leading `/`; a file or a folder */
export function isIgnored(path: string): boolean {
  let start = 0;
  while (start <= path.length) {
    const slash = path.indexOf("/", start);
    const part = path.slice(start, slash === -1 ? undefined : slash);
    if (isIgnoredName(part, start === 0)) return true;
    if (slash === -1) return false;
    start = slash + 1;
  }
  return false;
}

/**
 * The same for one part of a path whose folder is not ignored.
 * @param atRoot whether it stands in the project's own folder
 */
export function isIgnoredName(name: string, atRoot: boolean): boolean {
  return (
    ANYWHERE.has(name) ||
    isGitName(name) ||
    name.startsWith(TEMPORARY_PREFIX) ||
    name.startsWith(SET_ASIDE) ||
    BESIDE_DATABASE.test(name) ||
    (atRoot && AT_ROOT.has(name))
  );
}

/** On a disk that is blind to case it is the repository, however it is spelled. */
const isGitName = (name: string) => name.length === 4 && name.toLowerCase() === ".git";

/** The names themselves, for a reader elsewhere. */
export const ignoredNames = () => ({ anywhere: [...ANYWHERE], atRoot: [...AT_ROOT] });

/** The same as `isIgnored`, in the patterns that ripgrep takes. */
export function ignoredGlobs(): string[] {
  return [
    ...[...ANYWHERE].map((name) => `!**/${name}`),
    "!**/.[gG][iI][tT]",
    ...[...AT_ROOT].map((name) => `!/${name}`),
    "!**/*.{db,db3,sqlite,sqlite3}-{wal,shm,journal}",
    `!**/${TEMPORARY_PREFIX}*`,
    `!**/${SET_ASIDE}*`,
  ];
}

/** `.env`, `.env.local`, … in any folder: kept out of checkpoints, present in a revision by a keyed digest only. */
export function isSecretFile(path: string): boolean {
  return /^\.env(\.|$)/i.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * What the running app itself keeps: SQLite's files, and everything in a folder `.data`. Shown and exported, and no part
 * of a revision or a checkpoint: using the app does not change what was proven of it, and whoever goes back to older
 * sources keeps what was entered since. A database that is replaced under an open connection would also be broken.
 */
export function isDataFile(path: string): boolean {
  return isSqliteFile(path) || /(?:^|\/)\.data(?:\/|$)/i.test(path);
}
