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

/** A folder's times stand still for this long after a change: what was read within it may be older than it looks. */
const SETTLED_MS = 100;
/** Folders that are remembered; what they hold is read again otherwise. */
const FOLDERS = 200_000;
/** What is told of one look. */
const TOLD = 20;

interface Known {
  stamp: string;
  folders: BytePath[];
}

/** Dependencies are many and looked at when the project is stopped. */
const LEFT_OUT = new Set(["node_modules", ".pnpm-store"]);

/**
 * Sets aside the repositories that were made inside (A23): git runs what one says as whoever comes by, and the folder is
 * also the person's. The project's own at its root is the host's matter, and so are those that were there before, by their inodes in `kept`: a
 * path can be given to something else.
 * Folders that stand as they did at the last look are not read again. It is done from inside, where no link leads out.
 * @returns a function that looks and tells the paths that they have now
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
    // Those within others have to be reached before those are called otherwise.
    found.reverse();
    return found
      .flatMap((one) => setAside(root, one) ?? [])
      .slice(0, TOLD)
      .map(fromDisk);
  };
}

/** What the guest writes a file in is called like a repository for as long as that takes; git obeys none without a HEAD. */
const isBeingWritten = (base: BytePath, folder: BytePath, { path, inode }: FoundRepository) =>
  isDraftFolder(folder) &&
  isDraftPlace(inode) &&
  lstatSync(systemPath(below(base, below(path, "HEAD"))), { throwIfNoEntry: false }) === undefined;
