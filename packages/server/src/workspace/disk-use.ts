import { measureFolders } from "@treadle/workspace";

/** How long a measurement is reused, in milliseconds: measuring reads every folder of a project. */
const BELIEVED_MS = 60_000;

/**
 * Measures what a project takes of the disk, in bytes, with its history and its published releases. A result is at
 * most a minute old; 0 if the measurement fails.
 */
export function createDiskUse(parts: {
  folderOf(project: string): string;
  now(): number;
  measure?: typeof measureFolders;
}): (project: string) => Promise<number> {
  const { folderOf, now, measure = measureFolders } = parts;
  const known = new Map<string, { at: number; bytes: Promise<number> }>();
  return (project) => {
    const last = known.get(project);
    if (last && now() - last.at < BELIEVED_MS) return last.bytes;
    // Deleted projects are not asked for again.
    for (const [id, { at }] of known) if (now() - at >= BELIEVED_MS) known.delete(id);
    const bytes = measure([folderOf(project)]).catch(() => 0);
    known.set(project, { at: now(), bytes });
    return bytes;
  };
}
