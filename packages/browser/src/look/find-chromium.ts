import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { unpackChromium } from "./unpack-chromium.ts";

export interface Chromium {
  /** Absolute path. */
  executable: string;
  /** Required environment variables. */
  env: Record<string, string>;
}

interface FindChromiumOptions {
  env: Record<string, string | undefined>;
  /** The folder into which the browser of the npm package is unpacked; created if missing. */
  cacheDirectory: string;
}

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/**
 * Distributions install a shell script that reads personal settings; the browser itself is at these
 * paths.
 */
const BEHIND_SCRIPTS: Record<string, string[]> = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  google: ["/opt/google/chrome/chrome"],
};

/**
 * Finds the browser for looking at previews: `TREADLE_CHROMIUM`, else the system's, else that of
 * the npm package. Undefined if there is none for this kind of machine. Never rejects.
 */
export async function findChromium(options: FindChromiumOptions): Promise<Chromium | undefined> {
  for await (const chromium of chromiums(options)) return chromium;
  return undefined;
}

/** All usable browsers, the best first; each is only searched if the one before did not start. */
export async function* chromiums({
  env,
  cacheDirectory,
}: FindChromiumOptions): AsyncGenerator<Chromium> {
  const named = env["TREADLE_CHROMIUM"];
  // A browser that was named explicitly has no fallback.
  if (named) {
    if (await isExecutable(named)) yield { executable: named, env: {} };
    return;
  }
  for (const name of NAMES)
    for (const folder of (env["PATH"] ?? "").split(delimiter)) {
      const path = join(folder, name);
      if (!folder.startsWith("/") || !(await isExecutable(path))) continue;
      yield { executable: await behindScript(path), env: {} };
    }
  const unpacked = await unpackChromium(cacheDirectory).catch(() => undefined);
  if (unpacked) yield unpacked;
}

async function behindScript(path: string): Promise<string> {
  const product = path.includes("google") ? "google" : "chromium";
  for (const binary of BEHIND_SCRIPTS[product] ?? []) if (await isExecutable(binary)) return binary;
  return realpath(path);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
