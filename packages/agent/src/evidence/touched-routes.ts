import type { Workspace } from "@treadle/workspace";
import { readText } from "./project-facts.ts";

/** Routes that are looked at beside the one that the server answered on. */
const ROUTES = 4;
/** Files that are read for routes of a client's router. */
const FILES_READ = 20;

/** Folders whose files are pages of their own, and how a file there is called as a page. */
const BY_FILE: readonly { under: RegExp; page: RegExp }[] = [
  // Next's app folder, SvelteKit
  { under: /^(?:src\/)?app\//, page: /^(.*?)\/?page\.(?:[jt]sx?|mdx?)$/ },
  { under: /^src\/routes\//, page: /^(.*?)\/?\+page\.(?:svelte|md)$/ },
  // Next's and Nuxt's pages folders, Astro
  { under: /^(?:src\/)?pages\//, page: /^(.*)\.(?:[jt]sx?|vue|astro|mdx?|html)$/ },
  // pages that are files
  { under: /^(?:public\/|static\/)?/, page: /^(.*\.html)$/ },
];

/** `<Route path="/about">`, `path: "/about"`, `app.get("/about"`. */
const IN_CODE = /(?:\bpath\s*[=:]\s*\{?\s*|\.(?:get|all|use|route)\(\s*)["'`](\/[^"'`\s]*)["'`]/g;

/**
 * Addresses that a change may have touched, by the files that changed: those whose name makes a page, and those that
 * are named in the code of a router. Without parameters, `/` left out. A guess: not each of them needs to answer.
 */
export async function touchedRoutes(
  workspace: Workspace,
  paths: Iterable<string>,
): Promise<string[]> {
  const routes = new Set<string>();
  let read = 0;
  for (const path of paths) {
    const named = routeOfFile(path);
    if (named !== undefined) routes.add(named);
    else if (/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) && read++ < FILES_READ)
      for (const [, route] of (await readText(workspace, path))?.matchAll(IN_CODE) ?? [])
        if (route !== undefined) routes.add(route.replace(/(?!^)\/$/, ""));
    if (routes.size > ROUTES * 4) break;
  }
  return [...routes].filter((route) => route !== "/" && !hasParameter(route)).slice(0, ROUTES);
}

function routeOfFile(path: string): string | undefined {
  for (const { under, page } of BY_FILE) {
    const [start] = under.exec(path) ?? [];
    const [, inside] = (start !== undefined && page.exec(path.slice(start.length))) || [];
    if (inside === undefined) continue;
    // Layouts, 404 pages, API handlers and groups in brackets have no address of their own.
    const parts = inside.split("/").filter((part) => !/^\(.*\)$/.test(part));
    if (parts.some((part) => /^[_@+]|^(?:404|500|api)$/.test(part))) return undefined;
    return `/${parts.join("/")}`.replace(/(?:^|\/)index(?:\.html)?$/, "") || "/";
  }
  return undefined;
}

const hasParameter = (route: string) => /[:*[\]{}()$]/.test(route);
