import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { ProjectFacts } from "../../project/project-facts.ts";
import { readText } from "../../project/project-files.ts";
import { isBehindPage, partOf, readParts } from "../../project/project-parts.ts";

/** How many routes are opened in addition to the one on which the server answered. */
const ROUTES = 4;
/** How many files are searched for routes of a router. */
const FILES_READ = 20;

interface Convention {
  /** Matches the packages with which this convention applies. Absent if it always applies. */
  framework?: RegExp;
  under: RegExp;
  /** Matches the names of files that are pages. */
  page: RegExp;
}

/** Folders whose files are separate pages. Without its framework the same folder holds parts of one page. */
const BY_FILE: readonly Convention[] = [
  { framework: /^next$/, under: /^(?:src\/)?app\//, page: /^(.*?)\/?page\.(?:[jt]sx?|mdx?)$/ },
  {
    framework: /^@sveltejs\/kit$/,
    under: /^src\/routes\//,
    page: /^(.*?)\/?\+page\.(?:svelte|md)$/,
  },
  { framework: /^next$/, under: /^(?:src\/)?pages\//, page: /^(.*)\.(?:[jt]sx?|mdx?)$/ },
  { framework: /^nuxt$/, under: /^(?:app\/|src\/)?pages\//, page: /^(.*)\.(?:vue|[jt]sx?)$/ },
  { framework: /^astro$/, under: /^src\/pages\//, page: /^(.*)\.(?:astro|mdx?|html)$/ },
  { framework: /^gatsby$/, under: /^src\/pages\//, page: /^(.*)\.[jt]sx?$/ },
  { framework: /^@solidjs\/start$/, under: /^src\/routes\//, page: /^(.*)\.[jt]sx$/ },
  // Pages that are HTML files of their own.
  { under: /^(?:public\/|static\/)?/, page: /^(.*\.html)$/ },
];

/** Files that answer requests, without showing a page. */
const ANSWERS_BY_FILE: readonly Convention[] = [
  { framework: /^next$/, under: /^(?:src\/)?app\//, page: /^(.*?)\/?route\.[jt]sx?$/ },
  { framework: /^next$/, under: /^(?:src\/)?pages\//, page: /^(api\/.*)\.[jt]sx?$/ },
  { framework: /^@sveltejs\/kit$/, under: /^src\/routes\//, page: /^(.*?)\/?\+server\.[jt]s$/ },
  { framework: /^nuxt$/, under: /^server\/(?:api|routes)\//, page: /^(.*)\.[jt]s$/ },
  { framework: /^astro$/, under: /^src\/pages\//, page: /^(.*)\.[jt]s$/ },
];

/** HTML files that are no pages: SvelteKit's src/app.html and the templates of Angular components. */
const TEMPLATE = {
  framework: /^(?:@sveltejs\/kit|@angular\/core)$/,
  path: /^src\/.*\.html$/,
};

/** Matches `<Route path="/about">` and `path: "/about"`. */
const OF_PAGES = String.raw`\bpath\s{0,20}[=:]\s{0,20}\{?\s{0,20}`;
/** Matches `app.get("/about"`. */
const OF_SERVERS = String.raw`\.(?:get|all|route)\(\s{0,20}`;
const QUOTED = "[\"'`](\\/[^\"'`\\s]*)[\"'`]";
/** Matches the use of a router. Without one, a path may belong to a file or an API instead of a page. */
const ROUTER =
  /<\w{0,40}Route\b[^>]{0,1000}\bpath=|["'](?:[@\w-]{0,60}\/){0,6}(?:[\w-]{0,60}router[\w-]{0,60}|wouter[\w-]*|express|fastify|hono|koa|@hapi\/hapi|polka|h3|elysia|svelte-routing|routify)(?:\/[\w-]{1,60}){0,6}["']/;

/**
 * Guesses the addresses that a change may have affected from the changed files: those whose name is a page by the convention of
 * the project's framework, and those named in the code of a router. Leaves out `/` and addresses with parameters. Not every
 * address needs to exist.
 */
export async function touchedRoutes(
  workspace: Workspace,
  paths: Iterable<ProjectPath>,
): Promise<string[]> {
  const routes = new Set<string>();
  let parts: ProjectFacts[] | undefined;
  let read = 0;
  for (const path of paths) {
    parts ??= await readParts(workspace);
    const part = partOf(path, parts);
    const inside = part?.folder === undefined ? path : path.slice(part.folder.length + 1);
    const named = routeOfFile(inside, Object.keys(part?.manifest?.dependencies ?? {}));
    if (named !== undefined) routes.add(named);
    else if (/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) && read++ < FILES_READ) {
      const text = (await readText(workspace, path)) ?? "";
      const calls = isBehindPage(path, parts) ? OF_PAGES : `(?:${OF_PAGES}|${OF_SERVERS})`;
      if (ROUTER.test(text))
        for (const [, route] of text.matchAll(new RegExp(calls + QUOTED, "g")))
          if (route !== undefined) routes.add(route.replace(/(?!^)\/$/, ""));
    }
    if (routes.size > ROUTES * 4) break;
  }
  return [...routes].filter((route) => route !== "/" && !hasParameter(route)).slice(0, ROUTES);
}

/** The address of a file by the convention of the framework, or undefined if the file is no page. */
export function routeOfFile(path: string, packages: readonly string[]): string | undefined {
  const has = (pattern: RegExp) => packages.some((name) => pattern.test(name));
  if (TEMPLATE.path.test(path) && has(TEMPLATE.framework)) return undefined;
  for (const { framework, under, page } of BY_FILE) {
    if (framework && !has(framework)) continue;
    const [start] = under.exec(path) ?? [];
    const [, inside] = (start !== undefined && page.exec(path.slice(start.length))) || [];
    if (inside === undefined) continue;
    // Layouts, 404 pages, API handlers and groups in brackets have no address of their own; a group in brackets is not
    // part of the address.
    const parts = inside.split("/").filter((part) => !/^\(.*\)$/.test(part));
    if (parts.some((part) => /^[_@+]|^(?:404|500|api)$/.test(part))) return undefined;
    return `/${parts.join("/")}`.replace(/(?:^|\/)index(?:\.html)?$/, "") || "/";
  }
  return undefined;
}

/** Whether the framework serves requests with this file because of its name, without any import of it. */
export const isAnsweredByName = (path: string, packages: readonly string[]): boolean =>
  routeOfFile(path, packages) !== undefined ||
  ANSWERS_BY_FILE.some(
    ({ framework, under, page }) =>
      packages.some((name) => framework?.test(name)) &&
      under.test(path) &&
      page.test(path.replace(under, "")),
  );

const hasParameter = (route: string) => /[:*[\]{}()$]/.test(route);
