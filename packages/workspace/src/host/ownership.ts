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

/**
 * Reads or records the owner of a folder from before it was first given to a sandbox: a killed
 * server cannot give it back.
 */
export function ownerOf(directory: string, stateDirectory: string): Owner {
  const file = join(stateDirectory, "owner.json");
  if (!existsSync(file)) {
    const { uid, gid } = lstatSync(directory);
    writeFileSync(file, JSON.stringify({ uid, gid }));
  }
  return JSON.parse(readFileSync(file, "utf8")) as Owner;
}

/**
 * Original permissions of personal folders that were opened to the sandbox's group, by relative
 * path.
 */
const MODES = "modes.json";

/**
 * Gives a personal folder with its content to a sandbox's user, except for repositories: each of `personsRepositories`
 * (paths of a `.git` in the folder) and its parent folder stay the person's, because git refuses repositories of other
 * accounts. Programs in the sandbox access them through the group. Does nothing if the folder was given before. Follows
 * no links.
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
  // The folder itself comes last: its group marks the change as complete.
  for (const { path, mode } of trunks.toReversed()) {
    chmodSync(join(folder, path), mode | GROUP_ALL);
    lchownSync(join(folder, path), owner.uid, user.gid);
  }
}

/** Read, write and execute permission for the group. */
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
 * Removes access to a project's dependencies that an install script may have given others: write
 * permission, and the setuid and setgid bits. Nothing may be running in the folder. Follows no
 * links.
 */
export async function closeDependencies(directory: string): Promise<void> {
  const modules = join(directory, "node_modules");
  if (process.platform === "win32" || !lstatSync(modules, { throwIfNoEntry: false })?.isDirectory())
    return;
  // Files that cannot be changed belong to someone else.
  await run("chmod", ["-R", "go-w,u-s,g-s", modules]).catch(() => undefined);
}

/**
 * Gives a folder with its content to another owner, unless it already belongs to them. Follows no
 * links.
 */
export async function giveTo(folder: string, { uid, gid }: Owner): Promise<void> {
  if (lstatSync(folder).uid === uid) return;
  // A new, empty folder, which most are, needs no external program.
  if (readdirSync(folder).length === 0) return lchownSync(folder, uid, gid);
  await run("chown", ["-R", "-h", "-P", `${uid}:${gid}`, folder]);
}
