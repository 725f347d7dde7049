import { execFile } from "node:child_process";
import {
  lchownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Owner {
  uid: number;
  gid: number;
}

/** Whose folder it was before it was first given to a sandbox: a server that is killed cannot give it back. */
export function ownerOf(directory: string, stateDirectory: string): Owner {
  const file = join(stateDirectory, "owner.json");
  if (!existsSync(file)) {
    const { uid, gid } = lstatSync(directory);
    writeFileSync(file, JSON.stringify({ uid, gid }));
  }
  return JSON.parse(readFileSync(file, "utf8")) as Owner;
}

/**
 * Takes from everybody else what an install script may have given them of a project's dependencies: to write in there, or
 * to become their owner. Nothing may run in there any more. Follows no link.
 */
export async function closeDependencies(directory: string): Promise<void> {
  const modules = join(directory, "node_modules");
  if (process.platform === "win32" || !lstatSync(modules, { throwIfNoEntry: false })?.isDirectory())
    return;
  // What cannot be changed is not ours to change.
  await run("chmod", ["-R", "go-w,u-s,g-s", modules]).catch(() => undefined);
}

/** Gives a folder and all in it away, unless it is theirs already. Follows no link. */
export async function giveTo(folder: string, { uid, gid }: Owner): Promise<void> {
  if (lstatSync(folder).uid === uid) return;
  // A new one needs no program for that, and most are new.
  if (readdirSync(folder).length === 0) return lchownSync(folder, uid, gid);
  await run("chown", ["-R", "-h", "-P", `${uid}:${gid}`, folder]);
}
