import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheDirectory } from "@treadle/common/cache-directory";

/**
 * Enables Node's compile cache beside the other prepared files, which saves a third of the processor time of the next
 * start (12 MB). Without a folder for it Treadle starts as usual.
 * @param data the data folder
 */
export function keepCompiled(data: string, env: Record<string, string | undefined>): void {
  const folder = join(cacheDirectory({ dataDirectory: data, env }), "compiled");
  try {
    // Node would make its folders readable for other users of this machine, and the cached code is executed.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
}
