import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, pathIn, toProjectPath } from "@treadle/protocol/project-path";
import { MANAGERS, type ManagerName, type Workspace } from "@treadle/workspace";
import type { InnerPackages } from "../project/inner-packages.ts";
import { isThere, readText } from "../project/project-files.ts";
import { inProject, type ProjectFacts } from "../project/project-facts.ts";

const MANIFESTS = 200;
/** Files beside a package.json that say what an install of it brings. */
const SAYING = [
  "package.json",
  "pnpm-workspace.yaml",
  ...new Set(Object.values(MANAGERS).flatMap(({ locks, settings }) => [...locks, ...settings])),
].map((name) => toProjectPath(name));
/** Scripts that an install runs: what they make depends on more than the files that name packages. */
const INSTALL_SCRIPT = /"(?:pre|post)?install"\s*:/;

/** Commands that install as the lock files say, or as package.json does where there is none, in their order. */
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
 * The install that a package manager does where it may change the lock file; undefined where the command is that already.
 * It happens that a manager writes a lock file that it refuses: npm leaves out optional packages that it cannot have.
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
 * A digest of what says which packages an install brings: every package.json, with the lock files and settings beside
 * it. Where an install runs a script of the project's own, all its files say so.
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
