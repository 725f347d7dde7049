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

/** Milliseconds until a browser that does not come up is given up. */
const LAUNCH_MS = 30_000;
/** Milliseconds between two questions whether a browser still answers, and those that it may take, twice one after the other. */
const ASK_MS = 10_000;
const SILENT_MS = 20_000;
/** Milliseconds for a browser to end when it is asked to; one that answers nothing any more is ended. */
const END_MS = 5_000;

/**
 * What the browser may take of the machine with all it runs: a page that is looked at is generated code. An ordinary page
 * takes 150 processes and threads and 400 MB with the browser around it.
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
  // A page is not told that a program uses the browser: it has to work for a person.
  "--disable-blink-features=AutomationControlled",
  "--disable-background-networking",
  // The last list counts, and Playwright's own would switch storage partitioning off. Asking a service how a form is
  // filled in would be told as a host that the app wants. What the address bar would show, and a page that may come
  // next, have processes of their own with each look, which take as long as the look itself.
  "--disable-features=Translate,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,AutofillServerCommunication,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
  // The browser's own requests go nowhere: each look brings the way of its own.
  "--proxy-server=http://127.0.0.1:9",
  // Everything goes through the proxy, also what is called localhost.
  "--proxy-bypass-list=<-loopback>",
  // A page that fills its heap ends by itself.
  "--js-flags=--max-old-space-size=512",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

export interface Launched {
  browser: Browser;
  /** Ways out for a look each, with the address that the look's context has to name as its proxy. */
  ways: { proxy: BrowserProxy; server: string }[];
  /** What counts its processes and its memory; absent without a sandbox. */
  groups: ControlGroups | undefined;
  /** Ends the browser and its proxies, and removes what it left. Never rejects; what could not be removed is tried again when it is called again. */
  close(): Promise<void>;
}

/**
 * Starts the browser, in a sandbox where tools for one are given. Rejects with what it printed when it does not come up.
 */
export async function launchBrowser(options: {
  chromium: Chromium;
  tools: SandboxTools | undefined;
  gateway: BrowserProxyOptions["gateway"];
  outside: BrowserProxyOptions["outside"];
  /** Milliseconds for an answer of the browser itself, whatever its pages do; default 20,000. */
  silentMs?: number | undefined;
}): Promise<Launched> {
  const { chromium, tools, gateway, outside, silentMs = SILENT_MS } = options;
  // Loading it takes a fifth of the server's start, and most commands need no browser.
  const { chromium: playwright } = await import("playwright-core");
  // Not under the data folder, which is closed to the browser's user; and short: a socket's path has 107 bytes at most.
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
        // The proxy answers for the static hosts by a key of this process; no other certificate is let pass.
        `--ignore-certificate-errors-spki-list=${staticAuthority().fingerprint}`,
      ],
      env: tools ? {} : { ...chromium.env, HOME: folder, PATH: "/usr/bin:/bin" },
      headless: true,
      // Without ours it is not used either: as root it refuses to start with it.
      chromiumSandbox: tools?.inner ?? false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
    });
    const end = onceDone(() => endBrowser(browser, folder).then(clean));
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

/** Does each of these, whatever becomes of the others. @throws what the first that failed threw */
async function removeAll(removals: (() => unknown)[]): Promise<void> {
  const results = await Promise.allSettled(removals.map(async (remove) => remove()));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason as Error;
}

/** One without a sandbox, whose number nobody knows, is left to its driver, which waits for some minutes. */
async function endBrowser(browser: Browser, folder: string): Promise<void> {
  const closed = browser.close().then(
    () => true,
    () => true,
  );
  if (await inTime(closed, END_MS)) return;
  const pid = Number(await readFile(join(folder, PID_FILE), "utf8").catch(() => ""));
  try {
    // Its driver made it the first of a group.
    if (pid > 1) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
  await closed;
}

/**
 * Ends a browser that answers nothing any more: all that is done with its pages would wait for it, and be told of the app.
 * Twice, since this process may have been held up itself.
 */
async function endOnceSilent(
  browser: Browser,
  ms: number,
  end: () => Promise<void>,
): Promise<void> {
  // What is refused was answered, or the browser is gone.
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
