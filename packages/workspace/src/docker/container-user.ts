import { sandboxUid } from "../host/sandbox-uid.ts";

/** As whom a project's container runs: who owns the project's files must be able to write them from inside. */
export function containerUser(options: {
  project: string;
  platform: NodeJS.Platform;
  /** Of the server's process; absent on Windows. */
  uid: number | undefined;
  gid: number | undefined;
  /** The engine itself runs as the server's user, whose files are root's inside. */
  rootless: boolean;
}): { uid: number; gid: number } {
  if (options.rootless) return { uid: 0, gid: 0 };
  // Docker Desktop presents files of macOS or Windows as owned by the user that accesses them.
  if (options.platform !== "linux") return { uid: 1000, gid: 1000 };
  if (options.uid !== 0) return { uid: options.uid ?? 1000, gid: options.gid ?? 1000 };
  // A uid of its own for each project: limits count by it, and no project can read another one's files by a mistake of ours.
  const own = sandboxUid(options.project);
  return { uid: own, gid: own };
}
