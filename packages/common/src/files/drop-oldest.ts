import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the oldest files of a folder with matching names until `most` are left. Rejects on disk
 * errors.
 */
export async function dropOldest(
  folder: string,
  most: number,
  fits: (name: string) => boolean,
): Promise<void> {
  const names = (await readdir(folder)).filter(fits);
  if (names.length <= most) return;
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name), { bigint: true })).mtimeNs,
    })),
  );
  aged.sort((a, b) => (a.at < b.at ? -1 : 1));
  for (const { name } of aged.slice(0, -most)) await rm(join(folder, name), { force: true });
}
