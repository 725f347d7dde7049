import { execFile } from "node:child_process";
import {
  chmodSync,
  lchownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
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

/** Permissions that folders of the person's had before they were opened to the sandbox's group, by their paths below. */
const MODES = "modes.json";

/**
 * Gives a folder of the person's and all in it to a sandbox's user, but for their repositories: of each of `personsRepositories`, a `.git`
 * below the folder, it and the folder that it is in stay the person's, because git refuses repositories of other accounts.
 * What runs in the sandbox reaches them as the group. Does nothing if the folder was given before. Follows no link.
 */
export async function lendTo(
  folder: string,
  user: Owner,
  {
    owner,
    personsRepositories,
    stateDirectory,
  }: { owner: Owner; personsRepositories: readonly string[]; stateDirectory: string },
): Promise<void> {
  if (lstatSync(folder).gid === user.gid) return;
  const trunks = ["", ...new Set(personsRepositories.map(dirname))].flatMap((path) => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return found?.isDirectory() ? [{ path, mode: found.mode & 0o7777 }] : [];
  });
  const record = join(stateDirectory, MODES);
  if (!existsSync(record)) writeFileSync(record, JSON.stringify(trunks));
  await run("chown", ["-R", "-h", "-P", `${user.uid}:${user.gid}`, folder]);
  for (const path of personsRepositories)
    if (lstatSync(join(folder, path), { throwIfNoEntry: false }))
      await run("chown", ["-R", "-h", "-P", `${owner.uid}:${user.gid}`, join(folder, path)]);
  // The folder itself last: its group says that it was given.
  for (const { path, mode } of trunks.toReversed()) {
    chmodSync(join(folder, path), mode | GROUP_ALL);
    lchownSync(join(folder, path), owner.uid, user.gid);
  }
}

/** Reads, writes and enters, for the group. */
const GROUP_ALL = 0o070;

/** Returns a folder to its owner with the original modes. Follows no link. */
export async function giveBack(
  folder: string,
  owner: Owner,
  stateDirectory: string,
): Promise<void> {
  await run("chown", ["-R", "-h", "-P", `${owner.uid}:${owner.gid}`, folder]);
  const record = join(stateDirectory, MODES);
  if (!existsSync(record)) return;
  const modes = JSON.parse(readFileSync(record, "utf8")) as { path: string; mode: number }[];
  for (const { path, mode } of modes)
    if (lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory())
      chmodSync(join(folder, path), mode);
  rmSync(record);
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
