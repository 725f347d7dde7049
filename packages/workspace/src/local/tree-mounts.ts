import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PreparedTree } from "../dependencies/prepared-trees.ts";
import { removeTree } from "../remove-tree.ts";
import { LAUNCH_ENV, overlayOptions } from "./sandbox-command.ts";

const run = promisify(execFile);

/**
 * How a project gets its own view of a tree. `overlay`: a layer of the project's own over the tree;
 * 4 ms. `link`: folders of its own with hard links to the tree's files. Only used if those cannot
 * be written through: the server is root, and the files belong to root and are closed to others;
 * for any other user, server and sandbox have the same owner. `copy`: a copy, sharing blocks if the
 * file system supports it.
 */
export type TreeMount = "overlay" | "link" | "copy";

const isRoot = () => process.getuid?.() === 0;

export interface MountProbe {
  way: TreeMount;
  /** The errors of the better methods. */
  because?: string;
}

/** Tests overlay mounts in a folder where trees are stored. */
export async function probeMount(folder: string): Promise<MountProbe> {
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(folder, ".way-"));
  try {
    for (const part of ["lower", "upper", "work", "view"]) mkdirSync(join(scratch, part));
    writeFileSync(join(scratch, "lower/file"), "lower");
    const script = 'mount -t overlay overlay -o "$1" "$2" && echo upper > "$2/file"';
    const options = overlayOptions(
      [join(scratch, "lower")],
      join(scratch, "upper"),
      join(scratch, "work"),
    );
    const unshare = isRoot() ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
    const words = ["--propagation", "private", "sh", "-c", script, "try", options];
    await run("unshare", [...unshare, ...words, join(scratch, "view")], { env: LAUNCH_ENV });
    return { way: "overlay" };
  } catch (error) {
    const message = (error as { stderr?: string }).stderr || (error as Error).message;
    const because = message.trim().split("\n")[0]!.slice(0, 200);
    return { way: isRoot() ? "link" : "copy", because };
  } finally {
    await removeTree(scratch);
  }
}

/** The methods to try one after the other, beginning with `way`. */
export const mountsFrom = (way: TreeMount): TreeMount[] =>
  way === "overlay" ? ["overlay", "link", "copy"] : way === "link" ? ["link", "copy"] : ["copy"];

/**
 * Creates a project's own folder from a tree, with links or as a copy.
 * @param target must not exist
 */
export async function cloneTree(
  tree: PreparedTree,
  way: "link" | "copy",
  target: string,
  uid: number,
): Promise<void> {
  if (way === "link") {
    if (!isRoot() || tree.open) throw new Error("its files could be written through links");
    await run("cp", ["-al", tree.modules, target]);
    // The project owns the folders; the files are the tree's and still belong to root.
    await run("find", [target, "-type", "d", "-exec", "chown", `${uid}:${uid}`, "{}", "+"]);
    return;
  }
  await run("cp", ["-a", "--reflink=auto", tree.modules, target]);
  await run("chmod", ["-R", "u+rwX,go-w,u-s,g-s", target]);
  if (isRoot()) await run("chown", ["-R", "-h", `${uid}:${uid}`, target]);
}
