import { posix } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, pathIn, PROJECT_FOLDER, readProjectPath } from "@treadle/protocol/project-path";
import { isManager, readManagerCommand, type Workspace } from "@treadle/workspace";
import type { ProjectFacts } from "./project-facts.ts";

/** Maximum number of package.json files that are read. */
const MANIFESTS = 200;
/** Scripts that npm runs automatically during an install. */
const BY_INSTALL = new Set(["preinstall", "install", "postinstall", "prepare"]);
/** Options of package managers that name the folder to work in. */
const FOLDER_OPTION = /^(?:--prefix|--cwd|--dir|-C)(?:=(.*))?$/;

const SEPARATOR = /^(?:&&|\|\||[;&|\n"'])$/;

/** Packages in folders of the project that its own scripts install or work in, such as an API beside a page. */
export interface InnerPackages {
  /** Folders of the packages that the project's own install does not cover, relative to the workspace's folder. */
  folders: ProjectPath[];
  /** The project's script that installs all of them; absent if there is none. */
  script?: string;
}

/** What a script does with packages, as far as it can be parsed. */
interface ScriptWork {
  /** Whether each of its commands only changes the folder or installs. */
  onlyInstalls: boolean;
  /** Folders in which it installs, relative to the script's own. */
  installs: Set<string>;
  /** Folders that it enters. */
  enters: Set<string>;
  /** Other scripts that it runs in its own folder. */
  runs: Set<string>;
}

/**
 * Finds such packages. Workspaces are not among them, as the project's own install covers them. But if a project with
 * workspaces has a script that installs in other folders, that script is returned, because everyone who gets the
 * project runs it.
 */
export async function findInnerPackages(
  { manifest, folder = PROJECT_FOLDER }: ProjectFacts,
  workspace: Workspace,
): Promise<InnerPackages> {
  if (!manifest) return { folders: [] };
  if (manifest.usesWorkspaces) {
    const script = Object.entries(manifest.scripts).find(([name, text]) => {
      const { onlyInstalls, installs } = readScript(text);
      return !BY_INSTALL.has(name) && onlyInstalls && [...installs].some((path) => path !== "");
    })?.[0];
    return { folders: [], script };
  }
  const { files } = await workspace.files.list({ only: "manifests", limit: MANIFESTS });
  const there = new Set<string>(files.map(({ path }) => folderOf(path)));
  const works = new Map(
    Object.entries(manifest.scripts).map(([name, text]) => [name, readScript(text)]),
  );
  const isInner = (path: string) => path !== "" && there.has(inFolder(folder, path));
  const byItself = new Set(
    [...works].flatMap(([name, { installs }]) => (BY_INSTALL.has(name) ? [...installs] : [])),
  );
  const worked = [...works.values()].flatMap(({ installs, enters }) => [...installs, ...enters]);
  const inner = [...new Set(worked)].filter((path) => isInner(path) && !byItself.has(path));
  const installed = (name: string, seen = new Set<string>()): Set<string> | undefined => {
    const work = works.get(name);
    if (!work?.onlyInstalls || seen.has(name)) return undefined;
    seen.add(name);
    const all = new Set(work.installs);
    for (const other of work.runs) {
      const more = installed(other, seen);
      if (!more) return undefined;
      for (const path of more) all.add(path);
    }
    return all;
  };
  const script = [...works.keys()].find((name) => {
    const all = BY_INSTALL.has(name) ? undefined : installed(name);
    return all !== undefined && inner.length > 0 && inner.every((path) => all.has(path));
  });
  return {
    folders: inner.map((path) => inFolder(folder, path) as ProjectPath).toSorted(),
    script,
  };
}

function inFolder(folder: ProjectPath, path: string): string {
  const read = readProjectPath(path);
  return read.ok ? pathIn(folder, read.path) : path;
}

/** Parses the commands of a script in order; quotes and variables are not interpreted. */
function readScript(text: string): ScriptWork {
  const work: ScriptWork = {
    onlyInstalls: text.trim() !== "",
    installs: new Set(),
    enters: new Set(),
    runs: new Set(),
  };
  let here = "";
  for (const part of text.split(/(&&|\|\||[;&|\n]|["'])/)) {
    // A background command, or one of several quoted ones, starts in the script's own folder again.
    if (/^[&"']$/.test(part)) here = "";
    if (SEPARATOR.test(part)) continue;
    const opens = part.includes("(");
    const words = part.replaceAll(/[()]/g, " ").trim().split(/\s+/).filter(Boolean);
    if (opens) here = "";
    if (words.length > 0) here = readCommand(words, here, work);
    if (part.includes(")")) here = "";
  }
  return work;
}

/** @returns the folder in which the next command runs */
function readCommand(words: readonly string[], here: string, work: ScriptWork): string {
  const [program = "", ...rest] = words;
  if (program === "cd" && rest.length === 1) {
    const next = join(here, rest[0]!);
    if (next !== "") work.enters.add(next);
    return next;
  }
  let folder = here;
  const args: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const [, given] = FOLDER_OPTION.exec(rest[index]!) ?? [undefined, null];
    if (given === null) args.push(rest[index]!);
    else folder = join(here, given ?? rest[++index] ?? "");
  }
  if (folder !== "") work.enters.add(folder);
  const command = isManager(program) ? readManagerCommand(program, args) : undefined;
  if (command?.kind === "install") work.installs.add(folder);
  else if (command?.kind === "script" && folder === "") work.runs.add(command.name);
  else work.onlyInstalls = false;
  return here;
}

/** Joins paths below the project, without a trailing slash; empty for the script's own folder. */
function join(here: string, path: string): string {
  const joined = posix.join(here === "" ? "." : here, path).replace(/\/$/, "");
  return joined === "." ? "" : joined;
}
