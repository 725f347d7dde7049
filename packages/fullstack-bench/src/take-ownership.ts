import { lchown, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Makes a folder that a sandbox's user wrote this process's own. Follows no link. Nothing where this is not root. */
export async function takeOwnership(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid !== 0 || gid === undefined) return;
  const below = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...below.map((entry) => join(entry.parentPath, entry.name))])
    await lchown(path, uid, gid);
}
