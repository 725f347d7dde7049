import type { ProjectPath } from "@treadle/protocol";
import { folderOf } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { readFacts, readFactsAt, type ProjectFacts } from "./project-facts.ts";

/** Maximum number of packages of one project that are read; the nearest ones come first. */
const PARTS = 12;
const MANIFESTS = 200;

/** Matches packages that build pages. */
const PAGE_MAKERS =
  /^(?:vite|next|nuxt|astro|gatsby|parcel|react-scripts|webpack-dev-server|@angular\/(?:cli|build)|@sveltejs\/kit|@remix-run\/dev|@react-router\/dev|@rsbuild\/core|@vue\/cli-service|@11ty\/eleventy)$/;

/** Whether a package is expected to have a page. */
export const expectsPage = ({ indexHtml, manifest }: ProjectFacts): boolean =>
  indexHtml || Object.keys(manifest?.dependencies ?? {}).some((name) => PAGE_MAKERS.test(name));

/** The packages of a project: the project's own first, then those in its folders, such as `frontend` and `backend`. */
export async function readParts(workspace: Workspace): Promise<ProjectFacts[]> {
  const own = await readFacts(workspace);
  const { files } = await workspace.files.list({ only: "manifests", limit: MANIFESTS });
  const folders = new Set<ProjectPath>(
    files
      .filter(({ path }) => /(?:^|\/)package\.json$/.test(path))
      .map(({ path }) => folderOf(path))
      .filter((folder) => folder !== (own.folder ?? "") && isBelow(folder, own.folder)),
  );
  const nearest = [...folders].toSorted((a, b) => a.split("/").length - b.split("/").length);
  const inner = await Promise.all(
    nearest.slice(0, PARTS).map((folder) => readFactsAt(workspace, folder)),
  );
  return [own, ...inner];
}

/** The innermost package to which a file belongs. */
export function partOf(path: string, parts: readonly ProjectFacts[]): ProjectFacts | undefined {
  return parts
    .filter(({ folder }) => isBelow(path, folder))
    .toSorted((a, b) => (b.folder ?? "").length - (a.folder ?? "").length)[0];
}

/** Whether a file belongs to a package without a page, beside one with a page: its routes are no addresses of pages. */
export function isBehindPage(path: string, parts: readonly ProjectFacts[]): boolean {
  const part = partOf(path, parts);
  return part !== undefined && !expectsPage(part) && parts.some(expectsPage);
}

const isBelow = (path: string, folder: string | undefined) =>
  folder === undefined || folder === "" || path.startsWith(`${folder}/`);
