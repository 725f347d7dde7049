import type { SideName, Versions } from "./types.ts";

/** What has to be done with one file, so that both sides have the same. */
export type SyncStep =
  /** Both have it already, or neither. */
  | { kind: "agree"; path: string; version: string | undefined }
  /** Copies to that side from the other one. `expected`: the version found there, or undefined if there is none. */
  | { kind: "write"; to: SideName; path: string; version: string; expected: string | undefined }
  | { kind: "remove"; from: SideName; path: string; expected: string }
  /** Both changed it, and not to the same. */
  | { kind: "conflict"; path: string; folder: string; project: string };

/**
 * Plans the differences since the last state that both sides shared. If one side changed a file and the other removed
 * it, the change wins. Removals come first, because a new folder may take the place of a file.
 */
export function planSync(
  base: Versions,
  { folder, project }: Readonly<Record<SideName, Versions>>,
): SyncStep[] {
  const removals: SyncStep[] = [];
  const others: SyncStep[] = [];
  for (const path of new Set([...base.keys(), ...folder.keys(), ...project.keys()])) {
    const was = base.get(path);
    const ours = folder.get(path);
    const theirs = project.get(path);
    if (ours === theirs) {
      if (ours !== was) others.push({ kind: "agree", path, version: ours });
      continue;
    }
    const isConflict = ours !== was && theirs !== was && ours !== undefined && theirs !== undefined;
    if (isConflict) {
      others.push({ kind: "conflict", path, folder: ours, project: theirs });
      continue;
    }
    // Of two that changed, the one that is there counts.
    const to = ours === was || (theirs !== was && ours === undefined) ? "folder" : "project";
    const [version, expected] = to === "folder" ? [theirs, ours] : [ours, theirs];
    if (version !== undefined) others.push({ kind: "write", to, path, version, expected });
    else if (expected !== undefined) removals.push({ kind: "remove", from: to, path, expected });
  }
  return [...removals, ...others];
}
