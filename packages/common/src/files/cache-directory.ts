import { join } from "node:path";

/** The folder for prepared dependencies, the browser and Node's compile cache. */
export function cacheDirectory({
  dataDirectory,
  sharedDirectory,
  env,
}: {
  dataDirectory: string;
  sharedDirectory?: string | undefined;
  env: Record<string, string | undefined>;
}): string {
  return env.TREADLE_CACHE || join(sharedDirectory ?? dataDirectory, "cache");
}
