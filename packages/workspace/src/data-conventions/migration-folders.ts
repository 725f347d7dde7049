import { isIgnored } from "../ignored.ts";
import { NUMBERED } from "./plan-migrations.ts";

/** Where migrations stand: Treadle's own place, and that of bolt and Supabase. */
export const MIGRATION_FOLDERS = ["migrations", "supabase/migrations"];
/** The same in a folder of the project, such as `backend` or `apps/api`. */
const INNER = /^(?:[^/]+\/){1,2}migrations$/;

/**
 * The folder of migrations that a file is in, by its path; undefined where it is none of them. Files without a number count
 * in the usual folders alone: elsewhere they are another tool's.
 */
export function migrationFolderOf(path: string): string | undefined {
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  if (MIGRATION_FOLDERS.includes(folder)) return /\.sql$/i.test(name) ? folder : undefined;
  return INNER.test(folder) && NUMBERED.test(name) && !isElsewhere(folder) ? folder : undefined;
}

/**
 * The folders whose migrations are the app's, among those that hold some. A folder further down counts only if it is the
 * only one: several belong to several databases, and each of their services runs its own.
 */
export function chooseFolders(folders: Iterable<string>): string[] {
  const all = [...new Set(folders)];
  const usual = all.filter((folder) => MIGRATION_FOLDERS.includes(folder));
  if (usual.length > 0) return usual;
  return all.length === 1 ? all : [];
}

/** What packages bring, what builds write, and what tools keep. */
const isElsewhere = (folder: string) =>
  isIgnored(folder) || folder.split("/").some((name) => name.startsWith("."));
