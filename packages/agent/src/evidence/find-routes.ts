import type { Workspace } from "@treadle/workspace";

/** Addresses asked at most: the first that answers proves the server. */
const ROUTES_TRIED = 8;

/** How Express, Fastify, Hono, Koa's router and their kin name an address that can be asked for. */
const ROUTE = String.raw`\.(get|all|use|route)\(\s*["'\x60](/[^"'\x60]*)["'\x60]`;

/**
 * Addresses that the sources answer a GET on, without parameters, most likely ones first.
 * A router that is mounted elsewhere shows its own part only: mounts and parts are also tried together.
 */
export async function findRoutes(workspace: Workspace): Promise<string[]> {
  const { matches } = await workspace.files.search({
    pattern: ROUTE,
    regex: true,
    glob: "*.{js,mjs,cjs,ts,mts,cts,jsx,tsx}",
    limit: 100,
  });
  const gets: string[] = [];
  const mounts: string[] = [];
  for (const { text } of matches)
    for (const [, method, path] of text.matchAll(new RegExp(ROUTE, "g"))) {
      if (path === undefined || /[:*({]/.test(path)) continue;
      (method === "get" || method === "all" ? gets : mounts).push(path);
    }
  const joined = mounts.flatMap((mount) =>
    gets.map((path) => `${mount}${path === "/" ? "" : path}`),
  );
  return [...new Set([...gets, ...mounts, ...joined])]
    .filter((path) => path !== "/")
    .slice(0, ROUTES_TRIED);
}
