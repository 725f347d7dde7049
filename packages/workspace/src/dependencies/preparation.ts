import { sentence } from "@treadle/protocol/sentences";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { removeTree } from "../remove-tree.ts";
import { WorkspaceError, type OpenOptions, type Workspace } from "../types.ts";

const run = promisify(execFile);

/** Time limit for a package manager, for slow connections. */
export const PREPARE_MS = 10 * 60_000;

export type OpenWorkspace = (options: OpenOptions) => Promise<Workspace>;

/** Names of this process's sandboxes that are in use. */
const inUse = new Set<string>();

/** Removes this process's sandboxes that could not be removed when they ended. */
async function sweep(folder: string): Promise<void> {
  for (const name of readdirSync(folder))
    if (name.startsWith("sandbox-") && name.endsWith(`-${process.pid}`) && !inUse.has(name))
      await removeTree(join(folder, name)).catch(() => undefined);
}

/**
 * Runs a function in a separate sandbox that sees no project, and takes a folder out of it.
 * @param act may read the sandbox's folder on this machine, as long as no package's code has run in
 * it. Returns the folder to take, relative to the workspace, or undefined for none
 * @param take receives that folder once nothing runs any more; it belongs to the server's user, and
 * is removed afterwards
 */
export async function inSandboxOfItsOwn<Result>(
  parts: { open: OpenWorkspace; folder: string },
  act: (workspace: Workspace, directory: string) => Promise<{ folder?: string; result: Result }>,
  take: (folder: string) => Promise<void>,
): Promise<Result> {
  mkdirSync(parts.folder, { recursive: true });
  await sweep(parts.folder);
  // The name ends with the server's pid, by which a later server recognises abandoned folders.
  const scratch = join(parts.folder, `sandbox-${randomBytes(6).toString("hex")}-${process.pid}`);
  const directory = join(scratch, "files");
  inUse.add(basename(scratch));
  const workspace = await parts.open({
    project: `prepare-${basename(scratch)}`,
    directory,
    stateDirectory: join(scratch, "state"),
  });
  try {
    const { folder, result } = await act(workspace, directory);
    await workspace.stop();
    if (folder !== undefined) {
      const found = join(directory, folder);
      // Code in the sandbox might have replaced it with a link, and the following steps run as the
      // server's user.
      if (!lstatSync(found).isDirectory())
        throw new WorkspaceError("failed", sentence("prepared-folder-missing", { folder }));
      if (process.getuid?.() === 0) await run("chown", ["-R", "-h", "-P", "0:0", found]);
      await take(found);
    }
    return result;
  } finally {
    await workspace.stop();
    await removeTree(scratch).finally(() => inUse.delete(basename(scratch)));
  }
}
