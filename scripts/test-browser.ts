/**
 * The browser that tests use, for every kind of them: it is a setup of `vitest.config.ts`. The one out of the npm package is
 * the same on every machine, and a shell without a person's browser around it: a page that is opened, and a look at an app,
 * take half the processor time that they take in a system's Chromium. Chosen where it starts as it is; elsewhere tests use
 * what Treadle itself finds.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "../packages/browser/src/look/find-chromium.ts";

const cacheDirectory = join(import.meta.dirname, "..", ".cache");

/** Names the browser in the environment of the test workers, which start after this. One that a person named stays. */
export default async function setup(): Promise<void> {
  if (process.env["TREADLE_CHROMIUM"]) return;
  const found = await findChromium({ env: { PATH: "" }, cacheDirectory });
  if (found && canStart(found.executable)) process.env["TREADLE_CHROMIUM"] = found.executable;
}

/** Whether the libraries that it needs are the system's own: whoever names a browser cannot name libraries as well. */
function canStart(executable: string): boolean {
  try {
    execFileSync(executable, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
