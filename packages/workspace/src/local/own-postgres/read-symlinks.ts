import { posix } from "node:path";

/** A link to make: both relative to the package's folder, `/` between their parts. */
export interface LibraryLink {
  /** Where the link is made. */
  path: string;
  /** Its contents, relative to its own folder. */
  text: string;
}

/** Only libraries are linked, in the folder that they are in themselves. */
const PLACE = /^native\/lib\/[\w.+-]+$/;
const MOST = 200;

/**
 * Reads a package's `pg-symlinks.json`: npm's archives hold no links, so the libraries' other names are listed there.
 * @returns undefined if it is not such a list, or a link would be made or would lead anywhere but to native/lib
 */
export function readSymlinks(text: string): LibraryLink[] | undefined {
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(listed) || listed.length > MOST) return undefined;
  const links: LibraryLink[] = [];
  for (const one of listed as unknown[]) {
    const { source, target } = (one ?? {}) as Record<string, unknown>;
    if (typeof source !== "string" || typeof target !== "string") return undefined;
    const names = [posix.basename(source), posix.basename(target)];
    if (!PLACE.test(source) || !PLACE.test(target)) return undefined;
    if (names.some((name) => name === "." || name === "..")) return undefined;
    if (source !== target) links.push({ path: target, text: names[0]! });
  }
  return links;
}
