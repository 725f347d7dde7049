import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Chromium } from "./find-chromium.ts";

const PARTS = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
/**
 * Runs in a separate process: it takes seconds of computing, and the package unpacks into TMPDIR.
 */
const UNPACK = `
const [module, ...parts] = process.argv.slice(1);
const { inflate } = await import(module);
for (const part of parts) await inflate(part);
`;

/**
 * Unpacks the browser of the npm package into `cacheDirectory` on first use (about 5 s, 270 MB).
 * Undefined if the package has none for this kind of machine; rejects if unpacking fails.
 */
export async function unpackChromium(cacheDirectory: string): Promise<Chromium | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const module = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const home = join(dirname(module), "..");
  const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as {
    version: string;
  };
  const folder = join(cacheDirectory, `chromium-${version}`);
  if (!existsSync(join(folder, "chromium"))) {
    await mkdir(cacheDirectory, { recursive: true });
    // Atomic: another server may unpack at the same time, and the first to finish wins.
    const partial = await mkdtemp(join(cacheDirectory, "chromium-partial-"));
    try {
      await promisify(execFile)(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          UNPACK,
          module,
          ...PARTS.map((part) => join(home, "bin", part)),
        ],
        { env: { TMPDIR: partial }, timeout: 120_000 },
      );
      await promisify(execFile)("/bin/chmod", ["-R", "a+rX", partial]);
      await rename(partial, folder).catch((error: unknown) => {
        if (!existsSync(join(folder, "chromium"))) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  return {
    executable: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      // Without system fonts, text has no size and pages look blank.
      ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  };
}
