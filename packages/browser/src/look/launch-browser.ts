import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { onceDone } from "@treadle/protocol/lifecycle";
import { staticAuthority } from "@treadle/egress";
import { makeControlGroups, type ControlGroups } from "@treadle/workspace";
import type { Browser } from "playwright-core";
import type { Chromium } from "./find-chromium.ts";
import { LOOKS, lookPort, lookSocket } from "./inner-forwarder.ts";
import { inTime } from "@treadle/common";
import { openBrowserProxy, type BrowserProxy, type BrowserProxyOptions } from "./browser-proxy.ts";
import type { SandboxTools } from "./sandbox-script.ts";
import { PID_FILE, writeSandbox } from "./write-sandbox.ts";

/** Time limit for a browser's start, in milliseconds. */
const LAUNCH_MS = 30_000;
/**
 * Milliseconds between two checks whether a browser responds, and the time limit of each, which may
 * be exceeded once.
 */
const ASK_MS = 10_000;
const SILENT_MS = 20_000;
/** Time limit for a browser to close, in milliseconds, before it is killed. */
const END_MS = 5_000;

/**
 * Resource limits of the browser with all its processes, since a page contains generated code. An
 * ordinary page takes 150 processes and threads and 400 MB with the browser around it.
 */
const PROCESSES = 400;
const MEMORY = 2_048 * 1024 * 1024;
export const browserLimits = () => ({
  processes: PROCESSES,
  memory: Math.min(MEMORY, Math.floor(totalmem() / 2)),
  cpus: availableParallelism(),
});

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--no-pings",
  "--no-first-run",
  // A page must not see that the browser is automated, as it has to work for a person.
  "--disable-blink-features=AutomationControlled",
  "--disable-background-networking",
  // Repeated here because the last list counts, and Playwright's own would switch storage
  // partitioning off. Form-filling queries to a service would be reported as hosts that the app
  // requested. Processes for the address bar and for pages that may come next would slow down each
  // look.
  "--disable-features=Translate,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,AutofillServerCommunication,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
  // The browser's own requests lead nowhere; each look has its own proxy.
  "--proxy-server=http://127.0.0.1:9",
  // Everything uses the proxy, including localhost.
  "--proxy-bypass-list=<-loopback>",
  // A page that fills its heap ends without affecting others.
  "--js-flags=--max-old-space-size=512",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

export interface Launched {
  browser: Browser;
  /** One proxy per look, with the address for the look's context. */
  ways: { proxy: BrowserProxy; server: string }[];
  /** Limits and counts its processes and memory; absent without a sandbox. */
  groups: ControlGroups | undefined;
  /**
   * Ends the browser and its proxies, and removes its files. Never rejects; another call retries to remove what is
   * left.
   */
  close(): Promise<void>;
}

/**
 * Starts the browser, in a sandbox if tools for one are given. Rejects with its output if it does
 * not start.
 */
export async function launchBrowser(options: {
  chromium: Chromium;
  tools: SandboxTools | undefined;
  gateway: BrowserProxyOptions["gateway"];
  outside: BrowserProxyOptions["outside"];
  /**
   * Time limit for an answer of the browser itself, independent of its pages, in milliseconds;
   * default 20,000.
   */
  silentMs?: number | undefined;
  /** Time limit for it to close, in milliseconds, before it is killed; default 5,000. */
  endMs?: number | undefined;
}): Promise<Launched> {
  const { chromium, tools, gateway, outside, silentMs = SILENT_MS, endMs = END_MS } = options;
  // Loading it takes a fifth of the server's start, and most commands need no browser.
  const { chromium: playwright } = await import("playwright-core");
  // Outside of the data folder, which the browser's user cannot enter; and short, as a socket's
  // path has at most 107 bytes.
  const folder = await mkdtemp("/tmp/treadle-look-");
  const proxies: BrowserProxy[] = [];
  let groups: ControlGroups | undefined;
  const clean = () => removeAll([...proxies.map((proxy) => () => proxy.close()), () => groups?.remove(), () => rm(folder, { recursive: true, force: true })]); // prettier-ignore
  try {
    for (let index = 0; index < LOOKS; index++) {
      const socket = join(folder, lookSocket(index));
      proxies.push(
        await openBrowserProxy({ gateway, outside, socket: tools ? socket : undefined }),
      );
    }
    groups = tools ? makeControlGroups("browser", browserLimits()) : undefined;
    const browser = await playwright.launch({
      executablePath: groups
        ? await writeSandbox({ chromium, tools: tools!, folder, groups: groups.folders })
        : chromium.executable,
      args: [
        ...FLAGS,
        // The proxy answers for the static hosts with a key of this process; no other invalid
        // certificate is accepted.
        `--ignore-certificate-errors-spki-list=${staticAuthority().fingerprint}`,
      ],
      env: tools ? {} : { ...chromium.env, HOME: folder, PATH: "/usr/bin:/bin" },
      headless: true,
      // Without the outer sandbox, Chromium's own is not used either: as root, the browser would refuse to start with
      // it.
      chromiumSandbox: tools?.inner ?? false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
    });
    const end = onceDone(() => endBrowser(browser, folder, endMs).then(clean));
    const close = () => end().catch(() => undefined);
    browser.on("disconnected", () => void close());
    void endOnceSilent(browser, silentMs, close);
    const ways = proxies.map((proxy, index) => ({
      proxy,
      server: `http://127.0.0.1:${tools ? lookPort(index) : proxy.at}`,
    }));
    return { browser, ways, groups, close };
  } catch (error) {
    await clean().catch(() => undefined);
    throw error;
  }
}

/**
 * Runs all removals, even if some fail.
 * @throws the error of the first failure
 */
async function removeAll(removals: (() => unknown)[]): Promise<void> {
  const results = await Promise.allSettled(removals.map(async (remove) => remove()));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason as Error;
}

/**
 * Closes the browser, and kills its process after `ms` milliseconds. Without a sandbox the process id is unknown, so
 * only the driver can end it, which may take minutes.
 */
async function endBrowser(browser: Browser, folder: string, ms: number): Promise<void> {
  const closed = browser.close().then(
    () => true,
    () => true,
  );
  if (await inTime(closed, ms)) return;
  const pid = Number(await readFile(join(folder, PID_FILE), "utf8").catch(() => ""));
  try {
    // The browser's driver made it the leader of a process group.
    if (pid > 1) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
  await closed;
}

/**
 * Ends an unresponsive browser: work on its pages would wait for it, and the app would be blamed.
 * Requires two failed checks, as this process may have been blocked itself.
 */
async function endOnceSilent(
  browser: Browser,
  ms: number,
  end: () => Promise<void>,
): Promise<void> {
  // A rejection also counts as an answer; or the browser has gone.
  const session = browser.newBrowserCDPSession().catch(() => undefined);
  const ask = () =>
    session
      .then((open) => open?.send("Browser.getVersion"))
      .then(
        () => true,
        () => true,
      );
  for (let missed = 0; missed < 2 && browser.isConnected();) {
    await after(Math.min(ASK_MS, ms), undefined, { ref: false });
    missed = (await inTime(ask(), ms)) ? 0 : missed + 1;
  }
  await end();
}
