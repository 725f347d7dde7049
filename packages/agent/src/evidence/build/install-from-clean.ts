import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, pathIn, toProjectPath } from "@treadle/protocol/project-path";
import { MANAGERS, type ManagerName, type Workspace } from "@treadle/workspace";
import type { InnerPackages } from "../../project/inner-packages.ts";
import { isThere, readText } from "../../project/project-files.ts";
import { inProject, type ProjectFacts } from "../../project/project-facts.ts";

const MANIFESTS = 200;
/** Files beside a package.json that determine which packages an install brings. */
const SAYING = [
  "package.json",
  "pnpm-workspace.yaml",
  ...new Set(Object.values(MANAGERS).flatMap(({ locks, settings }) => [...locks, ...settings])),
].map((name) => toProjectPath(name));
/** Scripts that an install runs. Their result depends on more than the files that name packages. */
const INSTALL_SCRIPT = /"(?:pre|post)?install"\s*:/;

/** The commands that install from the lock files, or from package.json if there is none, in order. */
export async function cleanInstallCommands(
  facts: ProjectFacts,
  inner: InnerPackages,
  workspace: Workspace,
): Promise<string[]> {
  const { manifest, manager } = facts;
  const name = manager?.name ?? "npm";
  const commandAt = async (folder: ProjectPath | undefined) => {
    const at = (file: string) => pathIn(folder ?? toProjectPath("."), toProjectPath(file));
    const there = await Promise.all(
      MANAGERS[name].locks.map((lock) => isThere(workspace, at(lock))),
    );
    const isBerry = name === "yarn" && (await isThere(workspace, at(".yarnrc.yml")));
    const command = there.includes(true)
      ? FROZEN[isBerry ? "berry" : name]
      : `${name} install${name === "npm" ? QUIET : ""}`;
    return inProject(folder === undefined ? {} : { folder }, command);
  };
  const commands: string[] = [];
  if (manifest && (Object.keys(manifest.dependencies).length > 0 || manifest.usesWorkspaces))
    commands.push(await commandAt(facts.folder));
  if (inner.script !== undefined)
    commands.push(inProject(facts, `${name === "yarn" ? "yarn" : name} run ${inner.script}`));
  else for (const folder of inner.folders) commands.push(await commandAt(folder));
  return commands;
}

const QUIET = " --prefer-offline --no-audit --no-fund";
const FROZEN: Record<ManagerName | "berry", string> = {
  npm: `npm ci${QUIET}`,
  pnpm: "pnpm install --frozen-lockfile --prefer-offline",
  yarn: "yarn install --frozen-lockfile --prefer-offline",
  berry: "yarn install --immutable",
  bun: "bun install --frozen-lockfile",
};

/**
 * The install command that may change the lock file, or undefined if the command already is one.
 * Managers sometimes refuse a lock file that they wrote themselves: npm omits optional packages that it cannot install.
 */
export function withoutFrozenLock(command: string): string | undefined {
  for (const [manager, frozen] of Object.entries(FROZEN)) {
    const loose = LOOSE[manager as keyof typeof FROZEN];
    if (command.endsWith(frozen)) return command.slice(0, -frozen.length) + loose;
  }
  return undefined;
}

const LOOSE: typeof FROZEN = {
  npm: `npm install${QUIET}`,
  pnpm: "pnpm install --no-frozen-lockfile --prefer-offline",
  yarn: "yarn install --prefer-offline",
  berry: "yarn install --no-immutable",
  bun: "bun install",
};

/**
 * A digest of everything that determines the packages of an install: every package.json, and the lock files and settings beside
 * it. If an install runs one of the project's own scripts, the digest covers all of the project's files.
 */
export async function dependencyKey(workspace: Workspace, revision: string): Promise<string> {
  const { files } = await workspace.files.list({ only: "manifests", limit: MANIFESTS });
  const hash = createHash("sha256").update(process.version);
  for (const folder of files.map(({ path }) => folderOf(path)).toSorted())
    for (const name of SAYING) {
      const path = pathIn(folder, name);
      const text = await readText(workspace, path);
      if (text === undefined) continue;
      hash.update(`${path}\0${text}\0`);
      if (name === "package.json" && INSTALL_SCRIPT.test(text)) hash.update(revision);
    }
  return hash.digest("hex");
}
