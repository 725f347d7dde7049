import { pathIn, PROJECT_FOLDER, readProjectPath } from "@treadle/protocol/project-path";
import { satisfies, validRange } from "semver";
import type { Workspace } from "@treadle/workspace";
import { isRecord } from "../text/is-record.ts";
import { followsLock } from "./follows-lock.ts";
import { inProject, type Manifest, type ProjectFacts } from "./project-facts.ts";
import { readText } from "./project-files.ts";

/** Maximum number of dependencies that are checked one by one; with more, the package manager itself decides. */
const CHECKED = 150;
/** The same limit for the dependencies of all workspaces together. */
const CHECKED_IN_WORKSPACES = 600;

/**
 * Whether every dependency is installed in a version within its range, and npm's lock file has not changed since the
 * install. False if that cannot be determined.
 */
export async function isInstalled(
  facts: ProjectFacts & { manifest: Manifest },
  workspace: Workspace,
  signal: AbortSignal,
): Promise<boolean> {
  return (await isThere(facts, workspace, signal)) && (await followsLock(facts, workspace));
}

/** Whether every dependency is installed in a version within its range. False if that cannot be determined. */
export async function isThere(
  facts: ProjectFacts & { manifest: Manifest },
  workspace: Workspace,
  signal: AbortSignal,
): Promise<boolean> {
  const { manifest, folder = PROJECT_FOLDER } = facts;
  const dependencies = Object.entries(manifest.dependencies);
  if (dependencies.length > CHECKED) return false;
  // A dependency's name can be any text, so it may not be a valid path.
  const textAt = async (name: string) => {
    const read = readProjectPath(name);
    return read.ok ? readText(workspace, pathIn(folder, read.path)) : undefined;
  };
  if (!manifest.usesWorkspaces) {
    const found = await Promise.all(
      dependencies.map(async ([name, range]) =>
        takes(range, versionIn(await textAt(`node_modules/${name}/package.json`))),
      ),
    );
    if (found.every(Boolean)) return true;
    if (facts.manager === undefined) return false;
  }
  if (facts.manager?.name === "yarn") {
    const table = await textAt(".pnp.cjs");
    if (table !== undefined)
      return (
        !manifest.usesWorkspaces &&
        dependencies.every(([name, range]) => isInTable(table, name, range))
      );
  }
  return isLaidOut(facts, workspace, signal);
}

/**
 * Whether the dependencies of all workspaces are installed. Links are followed only within the project, and each
 * workspace is searched in its own folder.
 */
async function isLaidOut(
  facts: ProjectFacts & { manifest: Manifest },
  workspace: Workspace,
  signal: AbortSignal,
): Promise<boolean> {
  const patterns = JSON.stringify(facts.manifest.workspaces ?? []).replaceAll("'", "\\u0027");
  const command = inProject(facts, `node -e '${LOOK_UP}' '${patterns}' ${CHECKED_IN_WORKSPACES}`);
  const exit = await workspace.run(command, { signal, isOwn: true });
  signal.throwIfAborted();
  if (exit.kind !== "exited" || exit.code !== 0) return false;
  try {
    const rows = JSON.parse(exit.output) as [range: string, version: string | null][];
    return rows.every(([range, version]) => takes(range, version ?? undefined));
  } catch {
    return false;
  }
}

/**
 * A program that prints range and version of each dependency of the project in the working folder and of its
 * workspaces.
 */
const LOOK_UP = `
const fs = require("fs"), path = require("path");
const read = (file) => { try { return JSON.parse(fs.readFileSync(file, "utf8")); } catch { return undefined; } };
const [patterns, most] = [JSON.parse(process.argv[1]), Number(process.argv[2])];
const [taken, left] = [patterns.filter((one) => !one.startsWith("!")), patterns.filter((one) => one.startsWith("!"))];
const inside = (one) => fs.globSync(one.replace(/^!/, "").replace(/\\/+$/, "") + "/package.json", { exclude: (name) => String(name.name ?? name).endsWith("node_modules") });
const out = new Set(left.flatMap(inside));
const rows = new Map();
for (const file of ["package.json", ...taken.flatMap(inside).filter((one) => !out.has(one))]) {
  const { dependencies, devDependencies } = read(file) ?? {};
  for (const [name, range] of Object.entries({ ...devDependencies, ...dependencies })) {
    let found;
    for (let folder = path.dirname(path.resolve(file)); !found; folder = path.dirname(folder)) {
      found = read(path.join(folder, "node_modules", name, "package.json"));
      if (folder === process.cwd() || folder === path.dirname(folder)) break;
    }
    rows.set(name + " " + range + " " + found?.version, [String(range), found ? String(found.version ?? "") : null]);
    if (rows.size > most) process.exit(1);
  }
}
console.log(JSON.stringify([...rows.values()]));
`;

/**
 * Whether Yarn's table of package locations has a fitting version: `["vite", "npm:7.1.0"]`, with `virtual:` before it
 * if the package has peers.
 */
function isInTable(table: string, name: string, range: string): boolean {
  const rows = table.matchAll(
    new RegExp(
      `\\["${name.replace(/[.*+?^$(){}|[\]\\/]/g, "\\$&")}", "(?:virtual:[^"#]*#)?(?:npm:)?([^"]+)"\\]`,
      "g",
    ),
  );
  return [...rows].some(([, version]) => takes(range, version));
}

function takes(range: string, version: string | undefined): boolean {
  if (version === undefined) return false;
  // For a tag, an address or a folder, only the package's existence can be checked.
  if (validRange(range) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}

function versionIn(manifest: string | undefined): string | undefined {
  if (manifest === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(manifest);
    if (!isRecord(value)) return undefined;
    return typeof value["version"] === "string" ? value["version"] : "";
  } catch {
    return undefined;
  }
}
