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

/** Gives a folder and all in it away, unless it is theirs already. Follows no link. */
export async function giveTo(folder: string, { uid, gid }: Owner): Promise<void> {
  if (lstatSync(folder).uid === uid) return;
  // A new one needs no program for that, and most are new.
  if (readdirSync(folder).length === 0) return lchownSync(folder, uid, gid);
  await run("chown", ["-R", "-h", "-P", `${uid}:${gid}`, folder]);
}
