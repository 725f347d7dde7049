import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
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
      // Without fonts, text has no size: pages look blank, and checks find nothing.
      ...(hasSystemFonts() ? {} : { FONTCONFIG_FILE: await writeFontConfiguration(folder) }),
    },
  };
}

function hasSystemFonts(): boolean {
  const folder = "/usr/share/fonts";
  return (
    existsSync("/etc/fonts/fonts.conf") && existsSync(folder) && readdirSync(folder).length > 0
  );
}

/**
 * Writes a configuration that finds the package's own fonts where they were unpacked; the package's configuration names
 * fixed folders elsewhere.
 * @param folder of the unpacked browser
 * @returns the path of the configuration
 */
export async function writeFontConfiguration(folder: string): Promise<string> {
  const path = join(folder, "fonts", "treadle.conf");
  if (existsSync(path)) return path;
  const partial = `${path}.${randomUUID()}`;
  const fonts = join(folder, "fonts", "fonts").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  await writeFile(
    partial,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fonts}</dir>
  <cachedir>/tmp/fonts-cache</cachedir>
</fontconfig>
`,
  );
  await rename(partial, path);
  return path;
}
