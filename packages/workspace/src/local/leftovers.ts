import { readdirSync, rmSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlGroupFolders } from "./control-groups.ts";

/** Takes away what servers that were killed could not: folders of sockets, control groups, half-prepared trees. */
export function sweepLeftovers(cacheDirectory: string): void {
  const folders: [string, RegExp, (path: string) => void][] = [
    [tmpdir(), /^treadle-(\d+)-/, (path) => rmSync(path, { recursive: true, force: true })],
    [
      join(cacheDirectory, "preparing"),
      /-(\d+)$/,
      (path) => rmSync(path, { recursive: true, force: true }),
    ],
    [
      join(cacheDirectory, "trees"),
      /^\.(?:building|removing)-\w+-(\d+)$/,
      (path) => rmSync(path, { recursive: true, force: true }),
    ],
    ...controlGroupFolders().map((folder): [string, RegExp, (path: string) => void] => [
      folder,
      /^sandbox-(\d+)-/,
      rmdirSync,
    ]),
  ];
  for (const [folder, pattern, remove] of folders)
    for (const name of namesIn(folder)) {
      const pid = pattern.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      try {
        remove(join(folder, name));
      } catch {
        // Another user's, or still in use by what that server left running.
      }
    }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
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
