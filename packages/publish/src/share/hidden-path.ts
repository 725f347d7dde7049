import { isKeyFile } from "@treadle/protocol/project-path";
import { isDataFile } from "@treadle/workspace";

/** Dot folders from which development servers serve scripts. */
const SERVED = /^\.(?:well-known|vite|vite-temp|nuxt|next|astro|svelte-kit|angular|output)$/;
const BESIDE_DATABASE = /-(?:wal|shm|journal)$/i;

/**
 * Whether a path leads to a file that must not be shared with an app: development servers serve
 * everything in the project, including `.env`, `.git` and databases. An undecodable path counts as
 * hidden.
 */
export function isHiddenPath(path: string): boolean {
  let plain = path.split(/[?#]/, 1)[0]!;
  // Decoded repeatedly, as servers may do.
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
  // Servers also deliver a file for a longer path: `/app.db/`, `/app.db/.`, `/app.db/x/..`.
  return segments.some((one) => isPrivateFile(one));
}

/** Whether a project file must not be shared: keys, logins, and the app's data. */
export function isPrivateFile(path: string): boolean {
  return isKeyFile(path) || BESIDE_DATABASE.test(path) || isDataFile(path);
}
