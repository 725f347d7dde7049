import { lstatSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { fromDisk } from "../paths.ts";
import { below, bytePath, systemPath, type BytePath } from "../repositories/byte-path.ts";
import {
  listFolder,
  repositoriesIn,
  type FoundRepository,
} from "../repositories/find-repositories.ts";
import { isDraftFolder } from "../repositories/left-drafts.ts";
import { setAside } from "../repositories/set-aside.ts";
import { isDraftPlace } from "./draft-place.ts";

/**
 * Times of a folder may not change again within this span after a change, so a listing read within
 * it may be stale.
 */
const SETTLED_MS = 100;
/** Maximum number of cached folders; others are read again. */
const FOLDERS = 200_000;
/** Maximum number of repositories reported by one look. */
const TOLD = 20;

interface Known {
  stamp: string;
  folders: BytePath[];
}

/** Dependencies are numerous, and are checked when the project is stopped. */
const LEFT_OUT = new Set(["node_modules", ".pnpm-store"]);

/**
 * Renames the repositories that were made inside the sandbox (A23), because git runs their configuration as the user
 * who calls it, and the folder is also the person's. Leaves the project's own repository at its root to the host, and
 * those that existed before, identified by their inodes in `kept` because a path can be reused. Folders that are
 * unchanged since the last look are not read again. This runs in the sandbox, where no link leads to other files of the
 * host.
 * @returns a function that searches, and returns the new paths of the renamed repositories
 */
export function createMadeRepositories(
  root: string,
  personsInodes: readonly number[],
): () => ProjectPath[] {
  const base = bytePath(root);
  const known = new Map<BytePath, Known>();
  const leave = new Set(personsInodes);
  return () => {
    const found: FoundRepository[] = [];
    const seen = new Set<BytePath>();
    const rest: BytePath[] = [""];
    for (let folder = rest.pop(); folder !== undefined; folder = rest.pop()) {
      if (folder === ".git") continue;
      seen.add(folder);
      const absolute = below(base, folder);
      const stat = lstatSync(systemPath(absolute), { bigint: true, throwIfNoEntry: false });
      if (!stat?.isDirectory() || leave.has(Number(stat.ino))) continue;
      const stamp = `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}`;
      let folders = known.get(folder)?.stamp === stamp ? known.get(folder)?.folders : undefined;
      if (!folders) {
        const listed = listFolder(absolute, { openUp: true });
        const here = repositoriesIn(base, folder, listed.names).filter(
          ({ path, inode }) => path !== ".git" && !leave.has(inode),
        );
        found.push(...here.filter((one) => !isBeingWritten(base, folder, one)));
        folders = listed.folders.filter((name) => !LEFT_OUT.has(name));
        const settled = Date.now() - Number(stat.ctimeMs) > SETTLED_MS;
        if (settled && here.length === 0 && known.size < FOLDERS)
          known.set(folder, { stamp, folders });
        else known.delete(folder);
      }
      for (const name of folders) rest.push(below(folder, name));
    }
    for (const folder of known.keys()) if (!seen.has(folder)) known.delete(folder);
    // Nested repositories have to be renamed before the ones around them, while their paths are
    // still valid.
    found.reverse();
    return found
      .flatMap((one) => setAside(root, one) ?? [])
      .slice(0, TOLD)
      .map(fromDisk);
  };
}

/**
 * The guest's folder for drafts is temporarily named like a repository; git accepts none without a
 * HEAD.
 */
const isBeingWritten = (base: BytePath, folder: BytePath, { path, inode }: FoundRepository) =>
  isDraftFolder(folder) &&
  isDraftPlace(inode) &&
  lstatSync(systemPath(below(base, below(path, "HEAD"))), { throwIfNoEntry: false }) === undefined;
