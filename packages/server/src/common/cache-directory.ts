import { join } from "node:path";
import type { TreadleOptions } from "../types.ts";

/** Where prepared dependencies, the browser and what Node compiled are kept. */
export function cacheDirectory({
  dataDirectory,
  sharedDirectory,
  env,
}: Pick<TreadleOptions, "dataDirectory" | "sharedDirectory" | "env">): string {
  return env.TREADLE_CACHE || join(sharedDirectory ?? dataDirectory, "cache");
}
