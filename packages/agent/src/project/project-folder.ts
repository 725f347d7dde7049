import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { isThere } from "./project-files.ts";

/** Maximum number of entries searched for a package.json. */
const LISTED = 5_000;
/** Matches a package.json one or two folders deep, as after `npm create … demo`, or in `apps/web`. */
const NESTED = /^(?:[^/]+\/){1,2}package\.json$/;

/**
 * Finds the project's folder: the workspace's own, else the folder in which the running server was started, else the
 * only folder with a package.json. A project that a starter created in a folder is thus served from there.
 * @returns its path; empty for the workspace's own folder
 */
export async function findProjectFolder(workspace: Workspace): Promise<ProjectPath> {
  const own = await Promise.all(
    ["package.json", "index.html"].map((name) => isThere(workspace, toProjectPath(name))),
  );
  if (own.includes(true)) return PROJECT_FOLDER;
  const { files } = await workspace.files.list({ limit: LISTED });
  const folders = files
    .filter(({ path, kind }) => kind !== "folder" && NESTED.test(path))
    .map(({ path }) => folderOf(path));
  const started = enteredFolder(workspace.server?.command ?? "");
  const entered = folders.find((folder) => folder === started);
  if (entered !== undefined) return entered;
  // A package within another one's folder belongs to that one.
  const outer = folders.filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  return outer.length === 1 ? outer[0]! : PROJECT_FOLDER;
}

/**
 * The folder to which a command first changes; undefined if it does not. Parsed in steps, so that each reads the text
 * only once.
 */
export function enteredFolder(command: string): string | undefined {
  const word = /^\s*cd\s([^&;|]+)(?:&&|;)/.exec(command)?.[1]?.trim();
  const named = /^(["']?)([^"']+)\1$/.exec(word?.replace(/^\.\//, "") ?? "")?.[2];
  const folder = named?.endsWith("/") ? named.slice(0, -1) : named;
  return folder === "" ? undefined : folder;
}
