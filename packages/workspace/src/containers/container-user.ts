import { sandboxUid } from "../host/sandbox-uid.ts";
import type { ContainerUser } from "./types.ts";

/**
 * The user that a project's container runs as: the owner of the project's files must be able to write them from inside
 * the container.
 */
export function containerUser(options: {
  project: string;
  platform: NodeJS.Platform;
  /** Uid of the server's process; undefined on Windows. */
  uid: number | undefined;
  gid: number | undefined;
  /** The engine itself runs as the server's user, whose files belong to root inside the container. */
  rootless: boolean;
}): ContainerUser {
  if (options.rootless) return { uid: 0, gid: 0 };
  // Docker Desktop presents files of macOS or Windows as owned by the user that accesses them.
  if (options.platform !== "linux") return { uid: 1000, gid: 1000 };
  if (options.uid !== 0) return { uid: options.uid ?? 1000, gid: options.gid ?? 1000 };
  // A separate uid for each project: limits count per uid, and a mistake in Treadle cannot expose one project's files
  // to another.
  const own = sandboxUid(options.project);
  return { uid: own, gid: own };
}
