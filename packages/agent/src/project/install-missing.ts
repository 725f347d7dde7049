import type { Exit, Workspace } from "@treadle/workspace";
import { INSTALL_LIMITS } from "./install-limits.ts";
import { isThere } from "./is-installed.ts";
import { findPackages, missingInstall } from "./missing-packages.ts";
import { readFacts } from "./project-facts.ts";

/** The result of an install before a server starts. */
export interface Installed {
  command: string;
  exit: Exit;
  /**
   * Whether packages were missing. Otherwise the installed ones differ from the lock file, and may have to do without a
   * registry.
   */
  wereMissing: boolean;
}

/**
 * Installs missing packages of the root package.json and of those in the project's folders, because a server started
 * without them fails.
 * @param options.onBegin called with the command before it runs
 * @returns undefined if nothing is missing or required
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
  const found = await findPackages(facts, workspace);
  const asks = ({ manifest }: (typeof found.packages)[number]) =>
    Object.keys(manifest.dependencies).length > 0 || manifest.usesWorkspaces;
  const packages = found.packages.filter(asks);
  const command = await missingInstall(facts, { ...found, packages }, workspace, signal);
  if (command === undefined) return undefined;
  let wereMissing = false;
  for (const one of packages) wereMissing ||= !(await isThere(one, workspace, signal));
  onBegin?.(command);
  const exit = await workspace.run(command, { signal, onOutput, ...INSTALL_LIMITS });
  signal.throwIfAborted();
  return { command, exit, wereMissing };
}

export const hasWorked = ({ exit }: Installed): boolean =>
  exit.kind === "exited" && exit.code === 0;

/** Whether the installed packages suffice to start a server. */
export const canStart = (installed: Installed | undefined): boolean =>
  !installed?.wereMissing || hasWorked(installed);
