import { chown, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium as playwright, type Browser } from "playwright-core";
import type { Gateway } from "../gateway/types.ts";
import type { Chromium } from "./find-chromium.ts";
import { INNER_FORWARDER } from "./inner-forwarder.ts";
import { openLookerProxy } from "./looker-proxy.ts";
import { LOOKER_UID, sandboxScript, type SandboxTools } from "./sandbox-script.ts";

/** Milliseconds until a browser that does not come up is given up. */
const LAUNCH_MS = 30_000;

const FLAGS = [
  // Its own sandbox needs the namespaces that ours has closed; as root it refuses to start with it.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--no-pings",
  "--no-first-run",
  "--disable-background-networking",
  // The last list counts, and Playwright's own would switch storage partitioning off.
  "--disable-features=Translate,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter",
  // Everything goes through the proxy, also what is called localhost.
  "--proxy-bypass-list=<-loopback>",
  // A page that fills its heap ends by itself.
  "--js-flags=--max-old-space-size=512",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

export interface Launched {
  browser: Browser;
  /** Ends the browser and its proxy, and removes what it left. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts the browser, in a sandbox where tools for one are given. Rejects with what it printed when it does not come up.
 */
export async function launchBrowser(options: {
  chromium: Chromium;
  tools: SandboxTools | undefined;
  gateway: Pick<Gateway, "handles" | "handle" | "upgrade">;
}): Promise<Launched> {
  const { chromium, tools, gateway } = options;
  // Not under the data folder, which is closed to the browser's user; and short: a socket's path has 107 bytes at most.
  const folder = await mkdtemp("/tmp/treadle-look-");
  const socket = join(folder, "proxy.sock");
  const proxy = await openLookerProxy({ gateway, ...(tools ? { socket } : {}) });
  const clean = async () => {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const browser = await playwright.launch({
      executablePath: tools ? await writeSandbox(chromium, tools, folder) : chromium.executable,
      args: tools ? FLAGS : [...FLAGS, `--proxy-server=http://127.0.0.1:${proxy.at}`],
      env: tools ? {} : { ...chromium.env, HOME: folder, PATH: "/usr/bin:/bin" },
      headless: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
    });
    let closing: Promise<void> | undefined;
    const close = () =>
      (closing ??= browser
        .close()
        .catch(() => {})
        .then(clean));
    browser.on("disconnected", () => void close());
    return { browser, close };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** @returns the script that starts the browser in its sandbox. */
async function writeSandbox(
  chromium: Chromium,
  tools: SandboxTools,
  folder: string,
): Promise<string> {
  const path = join(folder, "browser.sh");
  const files = {
    "forwarder.mjs": INNER_FORWARDER,
    passwd: "sandbox:x:1000:1000::/home:/bin/sh\n",
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
    await chmod(join(folder, name), 0o644);
  }
  if (tools.setpriv) {
    await chown(join(folder, "proxy.sock"), LOOKER_UID, LOOKER_UID);
    await chmod(join(folder, "proxy.sock"), 0o600);
    await chmod(folder, 0o755);
  }
  const script = sandboxScript({ chromium, tools, folder, node: process.execPath });
  await writeFile(path, script, { mode: 0o700 });
  return path;
}
