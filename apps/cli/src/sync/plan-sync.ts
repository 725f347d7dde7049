import type { SideName, Versions } from "./types.ts";

/** One step that makes a file the same on both sides. */
export type SyncStep =
  /** Both sides already have the same version, or neither has the file. */
  | { kind: "agree"; path: string; version: string | undefined }
  /** Copies to that side from the other one. `expected`: the version found there, or undefined if there is none. */
  | { kind: "write"; to: SideName; path: string; version: string; expected: string | undefined }
  | { kind: "remove"; from: SideName; path: string; expected: string }
  /** Both sides changed the file differently. */
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
    // If both sides changed, the side that still has the file wins.
    const to = ours === was || (theirs !== was && ours === undefined) ? "folder" : "project";
    const [version, expected] = to === "folder" ? [theirs, ours] : [ours, theirs];
    if (version !== undefined) others.push({ kind: "write", to, path, version, expected });
    else if (expected !== undefined) removals.push({ kind: "remove", from: to, path, expected });
  }
  return [...removals, ...others];
}
