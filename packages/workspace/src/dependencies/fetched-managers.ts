import { sentence } from "@treadle/protocol/sentences";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { MANAGERS, toolFolder, type ManagerPackage } from "../package-managers/managers.ts";
import { WorkspaceError } from "../types.ts";
import { inSandboxOfItsOwn, PREPARE_MS, type OpenWorkspace } from "./preparation.ts";
import { withLock } from "./preparation-lock.ts";

const run = promisify(execFile);

/**
 * Maximum number of cached versions, because projects choose from hundreds. Treadle's own versions are always fetched.
 */
const MOST_TOOLS = 32;

/**
 * Package managers other than npm, downloaded from the registry on first use and mounted read-only into every sandbox.
 * Their install scripts never run: the cache contains exactly the files of the registry's archive.
 */
export function createFetchedManagers(parts: {
  open: OpenWorkspace;
  folder: string;
  preparing: string;
}) {
  const { folder } = parts;
  mkdirSync(folder, { recursive: true });
  const pathTo = (tool: ManagerPackage) => join(folder, toolFolder(tool));
  const isThere = (tool: ManagerPackage) => existsSync(pathTo(tool));

  return {
    folder,

    /** @throws WorkspaceError `failed` with npm's error, or if the cache is full */
    async fetch(tool: ManagerPackage): Promise<void> {
      if (isThere(tool)) return;
      if (
        tool.version !== MANAGERS[tool.manager].version &&
        readdirSync(folder).length >= MOST_TOOLS
      )
        throw new WorkspaceError(
          "failed",
          sentence("managers-full", {
            name: `${tool.package} ${tool.version}`,
            limit: MOST_TOOLS,
            folder,
          }),
        );
      const lock = join(parts.preparing, `${toolFolder(tool)}.lock`);
      await withLock(
        lock,
        () => isThere(tool),
        () =>
          inSandboxOfItsOwn(
            { open: parts.open, folder: parts.preparing },
            async (workspace) => {
              const name = `${tool.package}@${tool.version}`;
              const words = 'install --ignore-scripts --no-audit --no-fund --prefix "$PWD/tool"';
              const exit = await workspace.run(
                `mkdir tool && exec "$TREADLE_NODE" "$TREADLE_NPM/bin/npm-cli.js" ${words} ${name}`,
                { timeoutMs: PREPARE_MS, quietMs: PREPARE_MS },
              );
              if (exit.kind !== "exited" || exit.code !== 0)
                throw new WorkspaceError(
                  "failed",
                  sentence("manager-not-fetched", { name, why: exit.output.slice(-600) }),
                );
              return { folder: "tool", result: undefined };
            },
            async (found) => {
              await run("chmod", ["-R", "a+rX,go-w", found]);
              mkdirSync(dirname(pathTo(tool)), { recursive: true });
              renameSync(found, pathTo(tool));
            },
          ),
      );
    },
  };
}

export type FetchedManagers = ReturnType<typeof createFetchedManagers>;
