import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes that the disk gives to a folder of ours and all below it. What goes away meanwhile counts for nothing. */
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
