import { measureFolders } from "@treadle/workspace";

/** How long a measurement is believed: measuring reads every folder of a project. */
const BELIEVED_MS = 60_000;

/**
 * What projects take of the disk, in bytes, with their history and their published releases. It is
 * as old as a minute at most.
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
    const bytes = measure([folderOf(project)]).catch(() => 0);
    known.set(project, { at: now(), bytes });
    return bytes;
  };
}
