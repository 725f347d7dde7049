import { pathIn, PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { isRecord } from "../text/is-record.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { readText } from "./project-files.ts";

/** The lock file and the record of the last install, for npm and for pnpm. */
const NPM = ["package-lock.json", "node_modules/.package-lock.json"] as const;
const PNPM = ["pnpm-lock.yaml", "node_modules/.pnpm/lock.yaml"] as const;

/**
 * Whether the package manager's record of its last install matches the lock file, which may have come from another
 * branch or person since. pnpm stores a copy of it. npm stores what it installed: entries in both are compared, and only
 * optional ones may be missing. True if either file is missing, and for other managers.
 */
export async function followsLock(facts: ProjectFacts, workspace: Workspace): Promise<boolean> {
  const { folder = PROJECT_FOLDER, manager } = facts;
  const both = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => readText(workspace, pathIn(folder, toProjectPath(path)))));
  if (manager?.name === "pnpm") {
    const [lock, noted] = await both(PNPM);
    return lock === undefined || noted === undefined || sameLines(lock, noted);
  }
  if (manager !== undefined && manager.name !== "npm") return true;
  const [lock, noted] = (await both(NPM)).map(packagesIn);
  if (!lock || !noted) return true;
  // An optional package may be missing, but the lock file names it once its install was tried.
  const tried = isRecord(lock[""]) ? lock[""]["optionalDependencies"] : undefined;
  const isTried = ([name, range]: [string, string]) => isRecord(tried) && tried[name] === range;
  if (!Object.entries(facts.manifest?.optional ?? {}).every(isTried)) return false;
  return Object.entries(lock).every(([place, entry]) => {
    // Entries of the project itself and of its workspaces are skipped.
    if (!place.startsWith("node_modules/") || !isRecord(entry) || entry["link"] === true)
      return true;
    const there = noted[place];
    // The package is missing: it may be for another system, or may have been omitted by an option.
    if (!isRecord(there)) return isLeftOut(entry);
    // Addresses are not compared, since they differ behind a mirror of the registry.
    return ["version", "integrity"].every((name) => {
      const [named, found] = [entry[name], there[name]];
      return named === undefined || found === undefined || named === found;
    });
  });
}

const sameLines = (one: string, other: string) =>
  one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();

/** Whether npm may leave the package out of an install. */
const isLeftOut = (entry: Record<string, unknown>) =>
  ["optional", "devOptional", "peer", "dev", "extraneous"].some((name) => entry[name] === true);

/** The packages in npm's lock file, by their paths; undefined if it lists none. */
function packagesIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const lock: unknown = JSON.parse(text);
    const packages = isRecord(lock) ? lock["packages"] : undefined;
    return isRecord(packages) ? packages : undefined;
  } catch {
    return undefined;
  }
}
