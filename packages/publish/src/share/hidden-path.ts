import { isDataFile } from "@treadle/workspace";

/** Folders that begin with a dot and that development servers serve scripts from. */
const SERVED = /^\.(?:well-known|vite|vite-temp|nuxt|next|astro|svelte-kit|angular|output)$/;
const KEYS = /\.(?:pem|key|p12|pfx|kdbx)$|-(?:wal|shm|journal)$/i;

/**
 * Whether a path leads to what nobody means to show with an app: development servers serve whatever lies in the project,
 * `.env`, `.git` and databases too. One that cannot be read counts as hidden.
 */
export function isHiddenPath(path: string): boolean {
  let plain = path.split(/[?#]/, 1)[0]!;
  // As often as servers may decode it.
  for (let times = 0; times < 3 && plain.includes("%"); times++) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      if (times === 0) return true;
      break;
    }
  }
  const segments = plain.split(/[/\\\0]+/);
  if (segments.some((one) => /^\.(?!\.?$)/.test(one) && !SERVED.test(one))) return true;
  // Servers hand out a file for what stands behind its name, too: `/app.db/`, `/app.db/.`, `/app.db/x/..`.
  return segments.some((one) => KEYS.test(one) || isDataFile(one));
}

/** Whether a file of a project is not handed on with it: keys, logins, and what the app has kept. */
export const isPrivateFile = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return KEYS.test(name) || isDataFile(path) || /^\.(?:npmrc|netrc|yarnrc|pypirc)$/i.test(name);
};
