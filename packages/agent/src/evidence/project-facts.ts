import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { decodeText } from "../tools/text-file.ts";

/** What a project's files say about how it is installed, built and served. */
export interface ProjectFacts {
  /** Absent where there is no package.json. */
  manifest?: Manifest;
  /** package.json stands there but cannot be read: why. */
  manifestError?: string;
  /** Whether index.html stands in the project's folder. */
  indexHtml: boolean;
  /** Whether tsconfig.json stands there. */
  tsconfig: boolean;
}

export interface Manifest {
  scripts: Record<string, string>;
  /** Name and range, of `dependencies` and `devDependencies`. */
  dependencies: Record<string, string>;
  usesWorkspaces: boolean;
}

export async function readFacts(workspace: Workspace): Promise<ProjectFacts> {
  const [manifestText, indexHtml, tsconfig] = await Promise.all([
    readText(workspace, "package.json"),
    readText(workspace, "index.html"),
    readText(workspace, "tsconfig.json"),
  ]);
  const facts: ProjectFacts = {
    indexHtml: indexHtml !== undefined,
    tsconfig: tsconfig !== undefined,
  };
  if (manifestText === undefined) return facts;
  try {
    facts.manifest = readManifest(JSON.parse(manifestText.replace(/^\uFEFF/, "")));
  } catch (error) {
    facts.manifestError = `package.json cannot be read: ${error instanceof Error ? error.message : "not JSON"}`;
  }
  return facts;
}

function readManifest(value: unknown): Manifest {
  if (!isRecord(value)) throw new Error("it does not hold an object");
  return {
    scripts: strings(value["scripts"]),
    dependencies: { ...strings(value["devDependencies"]), ...strings(value["dependencies"]) },
    usesWorkspaces: value["workspaces"] !== undefined,
  };
}

/** A file's text; undefined where there is none, or where it is not text. */
export async function readText(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return decodeText((await workspace.files.read(path)).bytes);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code !== "stopped" && error.code !== "sandbox")
      return undefined;
    throw error;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strings(value: unknown): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  if (!isRecord(value)) return result;
  for (const [key, entry] of Object.entries(value))
    if (typeof entry === "string") result[key] = entry;
  return result;
}
