import { posix } from "node:path";
import { offThread } from "@treadle/parsing";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { readText } from "../../project/project-files.ts";
import { isBehindPage, readParts } from "../../project/project-parts.ts";
import { routeOfFile } from "./touched-routes.ts";
import type { parse } from "./routes-in.parser.ts";
import { withoutEnding } from "./without-ending.ts";
import { isCodeFile } from "./written-code.ts";

/** How many files are read to find one route, and how many levels of imports are followed upwards. */
const FILES_READ = 16;
const LEVELS = 3;
/** Milliseconds for parsing one file. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./routes-in.parser.ts", {
  limitMs: LIMIT_MS,
});
/** Returns no routes for a file that takes too long. */
const routesIn = (...asked: Parameters<typeof parse>): Promise<string[]> =>
  parseOffThread({ lane: "outlines" }, ...asked).catch(() => []);

/**
 * Finds the addresses that show the content of a file: by a router's table or elements, or by the file's own name if the
 * framework derives pages from files. Addresses with parameters are left out.
 * @param names functions of the file to search for; a table in the same file may contain them
 * @param packages names of the project's packages
 */
export async function routesTo(
  workspace: Workspace,
  path: ProjectPath,
  names: readonly string[],
  packages: readonly string[],
): Promise<string[]> {
  const parts = await readParts(workspace);
  // An address of the server behind the page does not show a page.
  if (isBehindPage(path, parts)) return [];
  const routes = new Set<string>();
  const seen = new Set<string>();
  let level: ProjectPath[] = [path];
  const own = routeOfFile(path, packages);
  if (own !== undefined) routes.add(own);
  const text = await readText(workspace, path);
  if (text) for (const route of await routesIn(text, path, { names })) routes.add(route);
  for (let up = 0; up < LEVELS && routes.size === 0; up++) {
    const above: ProjectPath[] = [];
    for (const file of level)
      for (const importer of await namedIn(workspace, file)) {
        if (seen.has(importer) || seen.size >= FILES_READ || isBehindPage(importer, parts))
          continue;
        seen.add(importer);
        const source = (await readText(workspace, importer)) ?? "";
        const found = await routesIn(source, importer, { target: file });
        for (const route of found) routes.add(route);
        const page = routeOfFile(importer, packages);
        if (page !== undefined) routes.add(page);
        if (found.length === 0) above.push(importer);
      }
    level = above;
  }
  return [...routes].filter((route) => !/[:*[\]{}()$?]/.test(route));
}

/** Finds source files that mention the file's name and so may import it. */
async function namedIn(workspace: Workspace, path: string): Promise<ProjectPath[]> {
  const base = withoutEnding(posix.basename(path));
  const name = base === "index" ? posix.basename(posix.dirname(path)) : base;
  const { matches } = await workspace.files
    .search({ pattern: name, limit: 60 })
    .catch(() => ({ matches: [] }));
  return [...new Set(matches.map((match) => match.path))].filter(
    (file) => file !== path && isCodeFile(file),
  );
}
