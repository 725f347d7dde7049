import { namesIn } from "@treadle/common/names-in";
import { rmSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { controlGroupFolders } from "./control-groups.ts";
import { removeTree } from "../remove-tree.ts";

/**
 * Removes what killed servers left behind: folders of sockets, control groups, half-prepared trees.
 */
export function sweepLeftovers(cacheDirectory: string): void {
  const remove = (path: string) => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // In the background: a deeply nested tree may have a million folders.
      removeTree(path).catch(() => undefined);
    }
  };
  const folders: [string, RegExp, (path: string) => void][] = [
    [tmpdir(), /^treadle-(\d+)-/, remove],
    [join(cacheDirectory, "preparing"), /-(\d+)$/, remove],
    [join(cacheDirectory, "trees"), /^\.(?:building|removing)-\w+-(\d+)$/, remove],
    ...controlGroupFolders().map((folder): [string, RegExp, (path: string) => void] => [
      folder,
      /^sandbox-(\d+)-/,
      rmdirSync,
    ]),
    ...controlGroupFolders().map((folder): [string, RegExp, (path: string) => void] => [
      dirname(folder),
      /^treadle-server-(\d+)$/,
      rmdirSync,
    ]),
  ];
  for (const [folder, pattern, act] of folders)
    for (const name of namesIn(folder)) {
      const pid = pattern.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      try {
        act(join(folder, name));
      } catch {
        // It belongs to another user, or is still used by processes of that server.
      }
    }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
