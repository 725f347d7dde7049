import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The absolute path of the data folder: the option, else `TREADLE_DATA`, else `~/.treadle`. */
export function dataDirectory(
  option: string | undefined,
  env: Record<string, string | undefined>,
): string {
  return resolve(option || env.TREADLE_DATA || join(homedir(), ".treadle"));
}
