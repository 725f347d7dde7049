import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The data folder: the option, else `TREADLE_DATA`, else `~/.treadle`. Absolute. */
export function dataDirectory(
  option: string | undefined,
  env: Record<string, string | undefined>,
): string {
  return resolve(option || env.TREADLE_DATA || join(homedir(), ".treadle"));
}
