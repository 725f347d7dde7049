import type { ProjectPath } from "@treadle/protocol";
import { pathIn, toProjectPath } from "@treadle/protocol/project-path";
import { MANAGER_FILES, managerOf, type ManagerName, type Workspace } from "@treadle/workspace";
import { isRecord } from "../text/is-record.ts";
import { isThere, readText } from "./project-files.ts";
import { findProjectFolder } from "./project-folder.ts";

/** What a project's files say about how to install, build and serve it. */
export interface ProjectFacts {
  /** The folder of its package.json; absent if that is the workspace's own. */
  folder?: ProjectPath;
  /** Absent if there is no package.json. */
  manifest?: Manifest;
  /** Why package.json exists but cannot be read. */
  manifestError?: string;
  /** The package manager that its files name; absent: npm. */
  manager?: { name: ManagerName };
  /** Whether index.html exists in the project's folder. */
  indexHtml: boolean;
  /** Whether tsconfig.json exists. */
  tsconfig: boolean;
}

export interface Manifest {
  scripts: Record<string, string>;
  /** Names and ranges in `dependencies` and `devDependencies`. */
  dependencies: Record<string, string>;
  /** Names and ranges in `optionalDependencies`, which an install may omit; absent if there are none. */
  optional?: Record<string, string>;
  usesWorkspaces: boolean;
  /** Patterns of its workspaces' folders; absent if it has none. */
  workspaces?: string[];
}

export async function readFacts(workspace: Workspace): Promise<ProjectFacts> {
  return readFactsAt(workspace, await findProjectFolder(workspace));
}

/** Reads the facts of the package in a folder. @param folder empty for the workspace's own */
export async function readFactsAt(
  workspace: Workspace,
  folder: ProjectPath,
): Promise<ProjectFacts> {
  const at = (name: string) => pathIn(folder, toProjectPath(name));
  const [manifestText, indexHtml, tsconfig, pnpmWorkspace, ...there] = await Promise.all([
    readText(workspace, at("package.json")),
    isThere(workspace, at("index.html")),
    isThere(workspace, at("tsconfig.json")),
    readText(workspace, at("pnpm-workspace.yaml")),
    ...MANAGER_FILES.map((name) => isThere(workspace, at(name))),
  ]);
  const facts: ProjectFacts = { indexHtml, tsconfig, folder: folder === "" ? undefined : folder };
  if (manifestText === undefined) return facts;
  try {
    const value: unknown = JSON.parse(manifestText.replace(/^\uFEFF/, ""));
    facts.manifest = readManifest(value, pnpmWorkspace);
    const named = isRecord(value) ? value["packageManager"] : undefined;
    const files = MANAGER_FILES.filter((_, index) => there[index]);
    const name = managerOf(named, files)?.manager;
    if (name !== undefined && name !== "npm") facts.manager = { name };
  } catch (error) {
    facts.manifestError = `package.json cannot be read: ${error instanceof Error ? error.message : "not JSON"}`;
  }
  return facts;
}

/** The command, preceded by a change to the project's folder if that is not the workspace's own. */
export function inProject({ folder }: Pick<ProjectFacts, "folder">, command: string): string {
  if (folder === undefined) return command;
  const quoted = /^[\w@./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
  return `cd ${quoted} && ${command}`;
}

function readManifest(value: unknown, pnpmWorkspace: string | undefined): Manifest {
  if (!isRecord(value)) throw new Error("it does not hold an object");
  const workspaces = workspacesOf(value["workspaces"], pnpmWorkspace);
  return {
    scripts: strings(value["scripts"]),
    dependencies: { ...strings(value["devDependencies"]), ...strings(value["dependencies"]) },
    optional:
      value["optionalDependencies"] === undefined
        ? undefined
        : strings(value["optionalDependencies"]),
    usesWorkspaces: workspaces !== undefined,
    workspaces,
  };
}

function workspacesOf(value: unknown, pnpmWorkspace: string | undefined): string[] | undefined {
  const listed = isRecord(value) ? value["packages"] : value;
  if (value !== undefined)
    return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
  const [, below] =
    /^packages:[ \t]*\n((?:[ \t]*-.*\n?|[ \t]*(?:#.*)?\n)*)/m.exec(
      `${pnpmWorkspace?.replaceAll("\r", "") ?? ""}\n`,
    ) ?? [];
  if (below === undefined) return undefined;
  return below.split("\n").flatMap((line) => {
    const entry = line.trim();
    const [pattern = ""] = entry.startsWith("-") ? entry.slice(1).split("#", 1) : [];
    const [, one] = /^["']?([^"']+)["']?$/.exec(pattern.trim()) ?? [];
    return one === undefined ? [] : [one];
  });
}

function strings(value: unknown): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  if (!isRecord(value)) return result;
  for (const [key, entry] of Object.entries(value))
    if (typeof entry === "string") result[key] = entry;
  return result;
}
