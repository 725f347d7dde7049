import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { ManifestEntry } from "../wire/requests.ts";

interface Entry {
  mode: string;
  type: "blob" | "tree";
  hash: string;
  name: Buffer;
}

/**
 * A manifest as the trees of git that hold it, each after those it holds, in the form that `git mktree -z --batch` takes.
 * Not by way of git's index: that leaves out, with exit status 0, what git would not check out everywhere (a `.gitmodules`
 * that is a link, a name that is `.git` on another disk).
 * @returns what to send, and the id of the last tree, which holds all
 */
export function treesOf(manifest: ManifestEntry[]): { input: Buffer; root: string } {
  const folders = new Map<ProjectPath, Entry[]>([[PROJECT_FOLDER, []]]);
  const holder = (folder: ProjectPath): Entry[] => {
    const there = folders.get(folder);
    if (there) return there;
    const made: Entry[] = [];
    folders.set(folder, made);
    holder(folderOf(folder));
    return made;
  };
  for (const { path, mode, hash } of manifest)
    holder(folderOf(path)).push({ mode, type: "blob", hash, name: nameOf(path) });

  const records: Buffer[] = [];
  let root = "";
  // A folder's path is longer than that of the folder it is in, so the deepest come first.
  for (const folder of [...folders.keys()].sort((a, b) => depth(b) - depth(a))) {
    const entries = folders.get(folder)!.sort(byGitsOrder);
    for (const { mode, type, hash, name } of entries)
      records.push(Buffer.from(`${mode} ${type} ${hash}\t`), name, NUL);
    records.push(NUL);
    const hash = treeHash(entries);
    if (folder === "") root = hash;
    else
      folders
        .get(folderOf(folder))!
        .push({ mode: "40000", type: "tree", hash, name: nameOf(folder) });
  }
  return { input: Buffer.concat(records), root };
}

const NUL = Buffer.from([0]);

const nameOf = (path: string) => Buffer.from(path.slice(path.lastIndexOf("/") + 1));
const depth = (folder: string) => (folder === "" ? 0 : folder.split("/").length);

/** By bytes, a folder's name as if it ended with `/`. */
function byGitsOrder(a: Entry, b: Entry): number {
  const sortName = ({ type, name }: Entry) =>
    type === "tree" ? Buffer.concat([name, Buffer.from("/")]) : name;
  return Buffer.compare(sortName(a), sortName(b));
}

function treeHash(entries: Entry[]): string {
  const body = Buffer.concat(
    entries.flatMap(({ mode, name, hash }) => [
      Buffer.from(`${mode} `),
      name,
      NUL,
      Buffer.from(hash, "hex"),
    ]),
  );
  return createHash("sha1").update(`tree ${body.length}\0`).update(body).digest("hex");
}
