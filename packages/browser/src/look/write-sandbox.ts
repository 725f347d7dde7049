import { chmod, chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syscallFilter } from "@treadle/workspace";
import type { Chromium } from "./find-chromium.ts";
import { INNER_FORWARDER, LOOKS, lookSocket } from "./inner-forwarder.ts";
import { PIPE_GUARD } from "./pipe-guard.ts";
import { BROWSER_UID, quote, sandboxScript, type SandboxTools } from "./sandbox-script.ts";

/** The file in the folder with the id of the browser's process. */
export const PID_FILE = "pid";

/**
 * Writes the files for starting the browser's sandbox into a folder that already contains the
 * looks' sockets.
 * @returns the script that starts the browser in it
 */
export async function writeSandbox(options: {
  chromium: Chromium;
  tools: SandboxTools;
  folder: string;
  groups: readonly string[];
}): Promise<string> {
  const { chromium, tools, folder, groups } = options;
  const path = join(folder, "browser.sh");
  const [guard, inner] = [join(folder, "guard.mjs"), join(folder, "sandbox.sh")];
  const files = {
    "forwarder.mjs": INNER_FORWARDER,
    "guard.mjs": PIPE_GUARD,
    passwd: "sandbox:x:1000:1000::/home:/bin/sh\n",
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
    await chmod(join(folder, name), 0o644);
  }
  if (tools.setpriv) {
    for (let index = 0; index < LOOKS; index++) {
      await chown(join(folder, lookSocket(index)), BROWSER_UID, BROWSER_UID);
      await chmod(join(folder, lookSocket(index)), 0o600);
    }
    await chmod(folder, 0o755);
  }
  const bytes = syscallFilter(process.arch, { inner: tools.inner });
  const filter = bytes && join(folder, "filter");
  if (filter) await writeFile(filter, bytes, { mode: 0o644 });
  const node = process.execPath;
  const script = sandboxScript({ chromium, tools, folder, node, groups, filter });
  await writeFile(inner, script, { mode: 0o700 });
  const words = [node, "--max-old-space-size=512", guard, inner].map(quote).join(" ");
  await writeFile(
    path,
    `#!/bin/sh\necho $$ > ${quote(join(folder, PID_FILE))}\nexec ${words} "$@"\n`,
    { mode: 0o700 },
  );
  return path;
}
