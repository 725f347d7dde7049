import type { Workspace } from "@treadle/workspace";

/** Maximum number of addresses requested. */
const ROUTES_TRIED = 12;
const SOURCES = "*.{js,mjs,cjs,ts,mts,cts,jsx,tsx}";

const QUOTED = String.raw`["'\x60](/[^"'\x60\s]*)["'\x60]`;
/** How Express, Fastify, Hono, Koa's router and the like declare a route. */
const CALL = String.raw`\.(get|all|use|route|register)\(\s*${QUOTED}`;
/**
 * The common prefix of a router: `prefix: "/v1"` (Koa, Fastify), `.basePath("/api")` (Hono),
 * `.prefix("/v1")`.
 */
const PREFIX = String.raw`(?:\bprefix\s*:\s*|\.(?:basePath|prefix|setGlobalPrefix)\(\s*)["'\x60](/?[\w/-]+)["'\x60]`;
/**
 * `url === "/health"`, `case "/health":`, `url: "/health"`: a server that compares the address
 * itself.
 */
const COMPARED = String.raw`(?:(?:url|path|pathname)\s*===?\s*|\bcase\s+|\burl\s*:\s*)${QUOTED}`;
/** Decorators of NestJS. */
const DECORATED = String.raw`@(Controller|Get)\(\s{0,20}["'\x60]?([\w/-]{0,200})["'\x60]?\s{0,20}\)`;

/** Settings with which sources name the base path of an app. */
const BASE = String.raw`\b(?:basePath|baseURL|base|publicPath|baseHref)\s*[:=]\s*["'\x60](/[\w./-]+)["'\x60]`;
const CONFIGURATION = /(?:\.config\.[cm]?[jt]s|(?:^|\/)angular\.json)$/;

/**
 * Finds addresses without parameters for which the sources declare a GET, the most likely ones
 * first. The source of a mounted router only contains the rest of its paths, so mounts and paths
 * are also tried in combination.
 */
export async function findRoutes(workspace: Workspace): Promise<string[]> {
  const lines = await linesWith(workspace, [CALL, PREFIX, COMPARED, DECORATED].join("|"), SOURCES);
  const gets: string[] = [];
  const mounts: string[] = [];
  const add = (to: string[], path: string | undefined) => {
    if (path === undefined || /[:*({$]/.test(path)) return;
    to.push(path.startsWith("/") ? path : `/${path}`);
  };
  for (const line of lines) {
    for (const [, method, path] of line.matchAll(new RegExp(CALL, "g")))
      add(method === "get" || method === "all" ? gets : mounts, path);
    for (const [, path] of line.matchAll(new RegExp(COMPARED, "g"))) add(gets, path);
    for (const [, path] of line.matchAll(new RegExp(PREFIX, "g"))) add(mounts, path);
    for (const [, what, path] of line.matchAll(new RegExp(DECORATED, "g")))
      add(what === "Get" ? gets : mounts, path);
  }
  const joined = mounts
    .filter((mount) => mount !== "/")
    .flatMap((mount) => gets.map((path) => `${mount}${path === "/" ? "" : path}`));
  return [...new Set([...joined, ...gets, ...mounts])]
    .filter((path) => path !== "/")
    .slice(0, ROUTES_TRIED);
}

/**
 * Finds the base path of an app that does not begin at `/`: in its configuration or in its server's
 * output. Without a trailing slash.
 */
export async function findBases(
  workspace: Workspace,
  port: number,
  printed: string,
): Promise<string[]> {
  const bases: string[] = [];
  const address = new RegExp(
    String.raw`https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):${port}(/[\w./~%-]+)`,
    "g",
  );
  for (const [, path] of printed.matchAll(address)) bases.push(path!);
  const sources = "*.{js,mjs,cjs,ts,mts,cts,json}";
  for (const line of await linesWith(workspace, BASE, sources, CONFIGURATION))
    for (const [, path] of line.matchAll(new RegExp(BASE, "g"))) bases.push(path!);
  const both = bases.flatMap((path) => (path.endsWith("/") ? [path, path.slice(0, -1)] : [path]));
  return [...new Set(both)].filter((path) => path !== "/" && path !== "").slice(0, ROUTES_TRIED);
}

async function linesWith(
  workspace: Workspace,
  pattern: string,
  glob: string,
  named?: RegExp,
): Promise<string[]> {
  const { matches } = await workspace.files.search({ pattern, regex: true, glob, limit: 200 });
  return matches.filter(({ path }) => !named || named.test(path)).map(({ text }) => text);
}
