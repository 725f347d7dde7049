import { pathIn, PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { isRecord } from "../text/is-record.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { readText } from "./project-files.ts";

/** What npm wants to be installed, and what it noted of its last install. */
const LOCK = toProjectPath("package-lock.json");
const NOTED = toProjectPath("node_modules/.package-lock.json");

/**
 * Whether what npm noted of its install is what the lock file names now: the lock file may be of another branch, or may
 * have come from somebody else, since. Only what both say is compared; without either file, and with other managers, the
 * answer is yes.
 */
export async function followsLock(facts: ProjectFacts, workspace: Workspace): Promise<boolean> {
  if (facts.manager !== undefined && facts.manager.name !== "npm") return true;
  const { folder = PROJECT_FOLDER } = facts;
  const [lock, noted] = await Promise.all(
    [LOCK, NOTED].map(async (path) => packagesIn(await readText(workspace, pathIn(folder, path)))),
  );
  if (!lock || !noted) return true;
  return Object.entries(lock).every(([place, wanted]) => {
    // The project itself, and its workspaces.
    if (!place.startsWith("node_modules/") || !isRecord(wanted)) return true;
    const there = noted[place];
    // Of other systems, or left out by who installed.
    if (!isRecord(there)) return isLeftOut(wanted);
    // Where it came from is another address behind a mirror of the registry.
    return ["version", "integrity"].every((name) => {
      const [named, found] = [wanted[name], there[name]];
      return named === undefined || found === undefined || named === found;
    });
  });
}

/** Whether npm may install the rest without it. */
const isLeftOut = (wanted: Record<string, unknown>) =>
  ["optional", "devOptional", "peer", "dev", "extraneous"].some((name) => wanted[name] === true);

/** The packages of a lock file of npm's, by where each lies; undefined where it names none. */
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
