import { posix } from "node:path";

/** A link to create; both paths use `/`. */
export interface LibraryLink {
  /** Its path, relative to the package's folder. */
  path: string;
  /** Its target, relative to its own folder. */
  text: string;
}

/** Only libraries may be linked, within their folder. */
const PLACE = /^native\/lib\/[\w.+-]+$/;
const MOST = 200;

/**
 * Parses a package's `pg-symlinks.json`: npm's archives contain no links, so this lists the
 * alternative names of libraries.
 * @returns undefined if the list is invalid, or a link would be outside of native/lib or lead out
 * of it
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
