import { join } from "node:path";

/** Where prepared dependencies, the browser and what Node compiled are kept. */
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
