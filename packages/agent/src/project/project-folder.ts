import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { isThere } from "./project-files.ts";

/** Entries that are looked through for a package.json. */
const LISTED = 5_000;
/** `npm create … demo`, or `apps/web`. */
const NESTED = /^(?:[^/]+\/){1,2}package\.json$/;

/**
 * Where the project is: in the workspace's folder itself, or else in the one folder in it that the running server was started
 * in, or that alone has a package.json. A starter that makes a folder of its own is served from there.
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
  // Packages of the one that they are in are its own.
  const outer = folders.filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
  return outer.length === 1 ? outer[0]! : PROJECT_FOLDER;
}

/** The folder that a command goes to first; undefined where it goes to none. In steps, so that each looks at it once. */
export function enteredFolder(command: string): string | undefined {
  const word = /^\s*cd\s([^&;|]+)(?:&&|;)/.exec(command)?.[1]?.trim();
  const named = /^(["']?)([^"']+)\1$/.exec(word?.replace(/^\.\//, "") ?? "")?.[2];
  const folder = named?.endsWith("/") ? named.slice(0, -1) : named;
  return folder === "" ? undefined : folder;
}
