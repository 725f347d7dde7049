import { isIgnored } from "../ignored.ts";
import { NUMBERED } from "./plan-migrations.ts";

/** Folders of migrations: Treadle's own, and that of bolt and Supabase. */
export const MIGRATION_FOLDERS = ["migrations", "supabase/migrations"];
/** A `migrations` folder one or two levels down, such as `backend/migrations` or `apps/api/migrations`. */
const INNER = /^(?:[^/]+\/){1,2}migrations$/;

/**
 * The migrations folder that contains a file, by its path; undefined if there is none. Files
 * without a number count only in the usual folders: elsewhere they belong to other tools.
 */
export function migrationFolderOf(path: string): string | undefined {
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  if (MIGRATION_FOLDERS.includes(folder)) return /\.sql$/i.test(name) ? folder : undefined;
  return INNER.test(folder) && NUMBERED.test(name) && !isElsewhere(folder) ? folder : undefined;
}

/**
 * Chooses the app's folders among those that contain migrations. A folder further down counts only if it is the only
 * one: several belong to several databases, whose services run their own migrations. Returns an empty list then.
 */
export function chooseFolders(folders: Iterable<string>): string[] {
  const all = [...new Set(folders)];
  const usual = all.filter((folder) => MIGRATION_FOLDERS.includes(folder));
  if (usual.length > 0) return usual;
  return all.length === 1 ? all : [];
}

/** Whether a folder belongs to packages, build output or the state of tools. */
const isElsewhere = (folder: string) =>
  isIgnored(folder) || folder.split("/").some((name) => name.startsWith("."));
