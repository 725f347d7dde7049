import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Disk usage of one of Treadle's folders with its contents, in bytes. Files that disappear meanwhile do not count. */
export async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of entries)
    bytes += await lstat(join(folder, name)).then(
      ({ blocks }) => blocks * 512,
      () => 0,
    );
  return bytes;
}
