/** What the tests need beyond Node and npm: the sandbox's programs and a browser. Status 1 says what is missing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const { ensureSandbox } = await import(join(root, "apps/cli/dist/folders/ensure-sandbox.js"));
const print = (line) => process.stdout.write(`${line}\n`);
if (!(await ensureSandbox(print))) process.exit(1);

const { findChromium } = await import(join(root, "packages/browser/dist/index.js"));
const browser = await findChromium({ env: process.env, cacheDirectory: join(root, ".cache") });
if (!browser || !existsSync(browser.executable)) {
  print("No browser: install chromium, or set TREADLE_CHROMIUM to one.");
  process.exit(1);
}
print(`Browser: ${browser.executable}`);
