import { sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError } from "../types.ts";
import { MAX_ENTRIES, type ManifestChanges, type ManifestEntry } from "../wire/requests.ts";

/**
 * Returns a function that lists all files: the same object if nothing changed. The guest reports only changes, or
 * everything if it is a new guest. Rejects with `too-large` above `MAX_ENTRIES`.
 * @param ask requests the changes since the known state
 * @param onLeftOut receives, on each call, the paths that exceed a limit or cannot be read
 */
export function createKnownManifest(
  ask: (known: string | undefined) => Promise<ManifestChanges>,
  onLeftOut: (leftOut: ManifestChanges["leftOut"]) => void = () => {},
): () => Promise<readonly ManifestEntry[]> {
  let state: string | undefined;
  let all: readonly ManifestEntry[] = [];
  let looks: Promise<unknown> = Promise.resolve();

  async function look(): Promise<readonly ManifestEntry[]> {
    const answer = await ask(state);
    state = undefined;
    all = answer.whole ? answer.changed : applied(all, answer);
    if (all.length > MAX_ENTRIES)
      throw new WorkspaceError(
        "too-large",
        sentence("project-too-many-files", { limit: MAX_ENTRIES }),
      );
    state = answer.state;
    onLeftOut(answer.leftOut);
    return all;
  }

  return () => {
    // Calls are serialized, because each result is relative to the one before.
    const next = looks.then(look, look);
    looks = next.catch(() => undefined);
    return next;
  };
}

/** The list with the changes applied. */
function applied(
  before: readonly ManifestEntry[],
  { changed, gone }: ManifestChanges,
): readonly ManifestEntry[] {
  if (changed.length === 0 && gone.length === 0) return before;
  const removed = new Set<ProjectPath>(gone);
  const rest = gone.length === 0 ? [...before] : before.filter(({ path }) => !removed.has(path));
  const added: ManifestEntry[] = [];
  for (const entry of changed) {
    const at = placeOf(rest, entry.path);
    if (rest[at]?.path === entry.path) rest[at] = entry;
    else added.push(entry);
  }
  if (added.length === 0) return rest;
  added.sort((a, b) => comparePaths(a.path, b.path));
  const merged: ManifestEntry[] = [];
  let next = 0;
  for (const entry of added) {
    const to = placeOf(rest, entry.path, next);
    while (next < to) merged.push(rest[next++]!);
    merged.push(entry);
  }
  while (next < rest.length) merged.push(rest[next++]!);
  return merged;
}

/** Index of a path, or of the first path after it. */
function placeOf(entries: readonly ManifestEntry[], path: string, from = 0): number {
  let [low, high] = [from, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePaths(entries[middle]!.path, path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const SLASH = 47;

/**
 * Compares paths in the order of a depth-first walk: names sorted in each folder, a folder's
 * content right after it.
 */
export function comparePaths(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shorter) return a.length - b.length;
  const [ofA, ofB] = [a.charCodeAt(at), b.charCodeAt(at)];
  return ofA === SLASH ? -1 : ofB === SLASH ? 1 : ofA - ofB;
}
