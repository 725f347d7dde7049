import type { Exit, ManagerName, Workspace } from "@treadle/workspace";
import { INSTALL_LIMITS } from "./install-limits.ts";
import { followsLock } from "./follows-lock.ts";
import { isThere } from "./is-installed.ts";
import { inProject, readFacts, type ProjectFacts } from "./project-facts.ts";

const COMMANDS: Record<ManagerName, string> = {
  npm: "npm install --no-audit --no-fund",
  pnpm: "pnpm install",
  yarn: "yarn install",
  bun: "bun install",
};

/** Installs what package.json asks for with the project's own package manager. */
export const installCommand = (facts: ProjectFacts): string =>
  inProject(facts, COMMANDS[facts.manager?.name ?? "npm"]);

/** An install that was made before a server starts. */
export interface Installed {
  command: string;
  exit: Exit;
  /** Packages were missing. Otherwise others are there than the lock file names: without a registry, those have to do. */
  wereMissing: boolean;
}

/**
 * Installs what package.json asks for where it is not there: a server that is started without it only says so.
 * @param options.onBegin is told the command before it runs
 * @returns undefined where everything is there, or nothing is asked for
 */
export async function installMissing(
  workspace: Workspace,
  {
    signal,
    onBegin,
    onOutput,
  }: {
    signal: AbortSignal;
    onBegin?: (command: string) => void;
    onOutput?: (text: string) => void;
  },
): Promise<Installed | undefined> {
  const facts = await readFacts(workspace);
  const { manifest } = facts;
  if (!manifest || (Object.keys(manifest.dependencies).length === 0 && !manifest.usesWorkspaces))
    return undefined;
  const wereMissing = !(await isThere({ ...facts, manifest }, workspace, signal));
  if (!wereMissing && (await followsLock(facts, workspace))) return undefined;
  const command = installCommand(facts);
  onBegin?.(command);
  const exit = await workspace.run(command, {
    signal,
    ...(onOutput && { onOutput }),
    ...INSTALL_LIMITS,
  });
  signal.throwIfAborted();
  return { command, exit, wereMissing };
}

export const hasWorked = ({ exit }: Installed): boolean =>
  exit.kind === "exited" && exit.code === 0;

/** Whether a server finds packages that suit package.json by now. */
export const canStart = (installed: Installed | undefined): boolean =>
  !installed?.wereMissing || hasWorked(installed);
