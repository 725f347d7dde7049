import { isKeyFile } from "@treadle/protocol/project-path";
import { isDataFile } from "@treadle/workspace";

/** Folders that begin with a dot and that development servers serve scripts from. */
const SERVED = /^\.(?:well-known|vite|vite-temp|nuxt|next|astro|svelte-kit|angular|output)$/;
const BESIDE_DATABASE = /-(?:wal|shm|journal)$/i;

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
  return segments.some((one) => isPrivateFile(one));
}

/** Whether a file of a project is not handed on with it: keys, logins, and what the app has kept. */
export function isPrivateFile(path: string): boolean {
  return isKeyFile(path) || BESIDE_DATABASE.test(path) || isDataFile(path);
}
