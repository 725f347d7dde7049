import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { unpackChromium } from "./unpack-chromium.ts";

export interface Chromium {
  /** Absolute. */
  executable: string;
  /** What it needs in its environment, beyond nothing. */
  env: Record<string, string>;
}

interface FindChromiumOptions {
  env: Record<string, string | undefined>;
  /** Where the browser out of the npm package is unpacked to, once; made if missing. */
  cacheDirectory: string;
}

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Distributions put a shell script on the path that reads the person's settings; the browser itself lies here. */
const BEHIND_SCRIPTS: Record<string, string[]> = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  google: ["/opt/google/chrome/chrome"],
};

/**
 * The browser that previews are looked at with: `TREADLE_CHROMIUM`, else one of the system, else the one out of the npm
 * package. Undefined where there is none for this kind of machine. Never rejects.
 */
export async function findChromium(options: FindChromiumOptions): Promise<Chromium | undefined> {
  for await (const chromium of chromiums(options)) return chromium;
  return undefined;
}

/** All that could be used, the best first; each is only looked for when the one before it did not start. */
export async function* chromiums({
  env,
  cacheDirectory,
}: FindChromiumOptions): AsyncGenerator<Chromium> {
  const named = env["TREADLE_CHROMIUM"];
  // Who names one means that one.
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
