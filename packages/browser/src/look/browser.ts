import { unanswered } from "@treadle/protocol/evidence";
import type { PageReport } from "@treadle/protocol";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { readRegistryConfig } from "@treadle/egress";
import { chromiums } from "./find-chromium.ts";
import { LOOKS } from "./inner-forwarder.ts";
import { inspectPage } from "./inspect-page.ts";
import { launchBrowser, type Launched } from "./launch-browser.ts";
import { lookAtPage } from "./look-at-page.ts";
import { lookInBoth, placed } from "./look-in-both.ts";
import { NAMED } from "./browser-check.ts";
import type { BrowserReach } from "./browser-proxy.ts";
import { beginOnline } from "./set-online.ts";
import { pressControls } from "./press-controls.ts";
import { readStyle } from "./read-style.ts";
import { usePage } from "./use-page.ts";
import { findSandboxTools } from "./sandbox-tools.ts";
import { createGroupSemaphore, inTime } from "@treadle/common";
import type { Look, PreviewBrowser, BrowserOptions, Screenshot } from "./types.ts";
import { BrowserError } from "./types.ts";
import { watchCode } from "./watch-code.ts";
import { tellWanted, watchWants } from "./watch-wanted.ts";
import { whileConnected } from "./while-connected.ts";

/** How long an unused browser stays open, in milliseconds. */
const IDLE_MS = 60_000;
/** How long a failed start is remembered for `available`, in milliseconds. */
const RETRY_MS = 30_000;
/**
 * Time limit for opening an empty page, in milliseconds. A browser that lost a process may never
 * open one.
 */
const OPEN_MS = 30_000;
/** Time limit for closing a context, in milliseconds; otherwise its browser is closed. */
const CLOSE_MS = 3_000;
/** Time limit for the work on a page that was told to end, in milliseconds. */
const LEAVE_MS = 10_000;
/**
 * Maximum duration of a look, in milliseconds, as long as anything moves in the page: a minute or
 * two on a slow machine.
 */
const LOOK_MS = 180_000;
/** Time limit for using a page in addition to opening it, in milliseconds. */
const USE_MS = 40_000;
/** Time limit for all work on one page, in milliseconds, since the next one waits for it. */
const WHOLE_MS = 5 * 60_000;
const SIZE = { width: 1280, height: 800 };

const NO_SANDBOX =
  "The page cannot be opened: it is generated code, and bubblewrap, which would contain it, is not installed (apt install bubblewrap).";
const NO_BROWSER =
  "There is no browser to open the page with. Install Chromium, or name one in TREADLE_CHROMIUM.";

const noBrowser = ({ TREADLE_CHROMIUM: named }: Record<string, string | undefined>): string =>
  named
    ? `There is no browser at ${named}, ${NAMED} Name another one there, or unset it to have one found.`
    : NO_BROWSER;

/**
 * Creates a browser that starts on demand and restarts after a crash, with a fresh context for each
 * look. Looks of one project can run in parallel, each with its own network access; those of
 * another project wait until they are over.
 */
export function createBrowser(options: BrowserOptions): PreviewBrowser {
  const places = createGroupSemaphore(LOOKS);
  const ending = new AbortController();
  const { busySeconds, heldMs, lookMs: ms = LOOK_MS, openMs = OPEN_MS } = options;
  const { leaveMs = LEAVE_MS } = options;
  let launching: Promise<Launched> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let inUse = 0;
  /** Number of open pages in each browser. */
  const pagesOf = new Map<Launched, number>();
  /** Browsers that are closed with their last page. */
  const retired = new Set<Launched>();
  /** Whether this machine refused a nested sandbox. */
  let innerRefused = false;
  /** The result of the last launch; a browser closed for being idle counts as available. */
  let known: { ok: boolean; message: string; until: number } | undefined;

  /** This machine's proxy settings, and the registries, which pages cannot reach. */
  function outside(): Parameters<typeof launchBrowser>[0]["outside"] {
    const registry = options.registry ?? readRegistryConfig(options.env);
    const { scopes, proxies, ca, url } = registry;
    const { resolve } = options;
    return {
      registry,
      registries: [{ url }, ...scopes.map((one) => ({ url: one.registry.url }))],
      outside: { proxies, ca, resolve },
    };
  }

  async function launch(): Promise<Launched> {
    const tools = await findSandboxTools(options.env);
    if (!tools && !options.unsafeNoSandbox) throw new BrowserError(NO_SANDBOX);
    let failure: unknown;
    // If a sandbox is not required, the browser runs without one that this machine refuses. Some machines refuse a
    // nested sandbox; the outer one is then made without support for it.
    const held =
      tools && (innerRefused ? [{ ...tools, inner: false }] : [tools, { ...tools, inner: false }]);
    const ways = held ? (options.unsafeNoSandbox ? [...held, undefined] : held) : [undefined];
    for await (const chromium of chromiums(options))
      for (const way of ways)
        try {
          const launched = await launchBrowser({
            chromium,
            tools: way,
            gateway: options.gateway,
            outside: outside(),
            silentMs: options.silentMs,
            endMs: options.endMs,
          });
          const inner = way?.inner ? ", and each page in the browser's own" : "";
          const where = way ? `in a sandbox${inner}` : "without a sandbox";
          const version = launched.browser.version();
          const message = `Chromium ${version} (${chromium.executable}), ${where}.`;
          known = { ok: true, message, until: Infinity };
          innerRefused = way?.inner === false;
          return launched;
        } catch (error) {
          failure ??= error;
        }
    if (failure === undefined) throw new BrowserError(noBrowser(options.env));
    throw new BrowserError(`The browser does not start: ${reason(failure)}`);
  }

  /** The running browser; a crashed one is replaced. */
  function warm(): Promise<Launched> {
    if (ending.signal.aborted) return Promise.reject(ending.signal.reason as Error);
    if (launching) return launching;
    const started = launch();
    launching = started;
    const forget = () => {
      if (launching === started) launching = undefined;
    };
    started.then(
      ({ browser }) => {
        browser.on("disconnected", forget);
        if (!browser.isConnected()) forget();
      },
      (error: unknown) => {
        known = { ok: false, message: reason(error), until: performance.now() + RETRY_MS };
        forget();
      },
    );
    return started;
  }

  async function cool(): Promise<void> {
    const launched = launching;
    launching = undefined;
    await (await launched?.catch(() => undefined))?.close();
  }

  /** Opens no more pages in it, and closes it after the last one. */
  async function retire(launched: Launched, started: Promise<Launched>): Promise<void> {
    if (launching === started) launching = undefined;
    if (!pagesOf.has(launched)) await launched.close();
    else retired.add(launched);
  }

  async function leavePage(launched: Launched): Promise<void> {
    const left = (pagesOf.get(launched) ?? 1) - 1;
    if (left > 0) return void pagesOf.set(launched, left);
    pagesOf.delete(launched);
    if (retired.delete(launched)) await launched.close();
  }

  function coolLater(): void {
    clearTimeout(idle);
    if (!ending.signal.aborted) idle = setTimeout(() => void cool(), IDLE_MS).unref();
  }

  /** Runs `work` with a page and network access for its project, and closes both afterwards. */
  async function withPage<T>(
    { origin, project = origin, hosts = [], staticHosts = false, signal }: Look,
    shape: Shape,
    use: (
      page: Page,
      signal: AbortSignal,
      notify: (report: PageReport) => PageReport,
      another: () => Promise<Page>,
    ) => Promise<T>,
  ): Promise<T> {
    const whenever = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    const giveBack = await places.take(project, whenever);
    const late = AbortSignal.timeout(WHOLE_MS);
    const ends = AbortSignal.any([whenever, late]);
    clearTimeout(idle);
    inUse++;
    try {
      const { context, page, wants, launched, started, proxy, server } = await openPage(
        { origin, hosts, staticHosts },
        shape,
      );
      const others: BrowserContext[] = [];
      /** Opens an empty page in another context with the same network access. */
      const another = async () => {
        const opened = await openIn(launched.browser, server, shape);
        others.push(opened.context);
        return opened.page;
      };
      let left: NodeJS.Timeout | undefined;
      let gotNothing = false;
      // Work that waits for an unresponsive browser would not notice that it has to end.
      const leave = () => (left = setTimeout(() => void launched.close(), leaveMs).unref());
      try {
        ends.throwIfAborted();
        ends.addEventListener("abort", leave);
        const annotate = (report: PageReport) => {
          gotNothing = unanswered(report) !== undefined;
          return tellWanted(report, proxy.wantedHosts(), wants);
        };
        const used = use(page, ends, annotate, another);
        return await whileConnected(launched.browser, used);
      } finally {
        ends.removeEventListener("abort", leave);
        clearTimeout(left);
        // The browser may no longer respond, so the next look gets another one.
        const closed = await Promise.all([...others, context].map(closesInTime));
        if (gotNothing || closed.includes(false)) await retire(launched, started);
        proxy.end();
        await leavePage(launched);
      }
    } finally {
      giveBack();
      if (--inUse === 0) coolLater();
    }
  }

  async function openPage(reach: BrowserReach, shape: Shape) {
    for (let attempt = 1; ; attempt++) {
      const started = warm();
      const launched = await started;
      // There are as many proxies as looks can run in parallel.
      const way = launched.ways.find(({ proxy }) => !proxy.busy);
      if (!way) throw new BrowserError("The browser is busy with other pages.");
      const { proxy, server } = way;
      proxy.begin(reach);
      try {
        const opening = openIn(launched.browser, server, shape);
        const opened = await inTime(whileConnected(launched.browser, opening), openMs);
        if (!opened) throw new BrowserError("The browser cannot open a page.");
        pagesOf.set(launched, (pagesOf.get(launched) ?? 0) + 1);
        return { ...opened, launched, started, proxy, server };
      } catch (error) {
        proxy.end();
        await retire(launched, started);
        // The browser broke since its last use; tries once more with a new one.
        if (attempt > 1 || ending.signal.aborted) throw error;
      }
    }
  }

  return {
    async available() {
      if (!known || known.until < performance.now()) {
        await warm().catch(() => {});
        if (inUse === 0) coolLater();
      }
      const { ok = false, message = noBrowser(options.env) } = known ?? {};
      return { ok, message };
    },
    look: ({ onPicture, ...what }) =>
      lookInBoth(what, { ms, busySeconds, heldMs }, onPicture, (dark, use) =>
        withPage(what, { ...SIZE, dark }, use),
      ),
    use: (what) =>
      withPage(what, { ...SIZE, downloads: true }, async (page, ends, annotate, another) => {
        const watched = what.code && (await watchCode(page, what.code, what));
        const used = await usePage(page, {
          ...what,
          another,
          signal: ends,
          ms: ms + USE_MS,
          watched,
        });
        await watched?.report(ends);
        return { ...used, report: annotate(used.report) };
      }),
    press: (what) =>
      withPage(what, SIZE, async (page, ends, annotate) => {
        const { origin, path, source, code } = what;
        const watched = code && (await watchCode(page, code, what));
        const request = { origin, path, signal: ends, ms: ms + USE_MS, watched };
        const { report, ...pressed } = await pressControls(page, request);
        await watched?.report(ends);
        return {
          ...pressed,
          report: annotate(await placed(page, { origin, source }, report, ends)),
        };
      }),
    inspect: (what) =>
      withPage(what, SIZE, (page, signal) =>
        inspectPage(page, { origin: what.origin, path: what.path, signal, ms, busySeconds }),
      ),
    screenshot: ({ width, height, dark, scroll = 0, ...what }: Screenshot) =>
      withPage(what, { width, height, dark }, async (page, ends) => {
        const { origin, path } = what;
        const { status } = await lookAtPage(page, { origin, path, signal: ends, ms });
        if (status === 0) throw new BrowserError(`The page ${path} did not load.`);
        if (scroll > 0) await page.evaluate(`window.scrollTo(0, ${scroll})`);
        return page.screenshot({ type: "png", timeout: 10_000 });
      }),
    style: ({ address, dark, ...what }) =>
      withPage({ ...what, path: "/" }, { ...SIZE, dark }, (page, ends) =>
        readStyle(page, address, ends),
      ),
    async close() {
      ending.abort(new BrowserError("The browser was closed."));
      clearTimeout(idle);
      await cool();
    },
  };
}

/** The size of a page's window, in CSS pixels, and its permissions. */
interface Shape {
  width: number;
  height: number;
  dark?: boolean;
  /** Whether downloads are accepted; default false. */
  downloads?: boolean;
}

/** Opens an empty page in its own context. */
async function openIn(
  browser: Browser,
  server: string,
  { width, height, dark, downloads = false }: Shape,
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    acceptDownloads: downloads,
    // Service workers are part of the app, and fresh for each look like the rest of the profile.
    serviceWorkers: "allow",
    userAgent: ordinaryUserAgent(browser.version()),
    proxy: { server, bypass: "<-loopback>" },
  });
  const wants = watchWants(context);
  const page = await context.newPage();
  await beginOnline(page);
  // Other windows that the app opens are not observed.
  context.on("page", (other) => void other.close().catch(() => {}));
  return { context, page, wants };
}

/** The user agent of an ordinary browser, so that a page cannot tell that it is headless. */
const ordinaryUserAgent = (version: string) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split(".", 1)[0]}.0.0.0 Safari/537.36`;

async function closesInTime(context: BrowserContext): Promise<boolean> {
  const closed = context.close().then(
    () => true,
    () => true,
  );
  return (await inTime(closed, CLOSE_MS)) === true;
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > 1_000 ? `${text.slice(0, 500)} … ${text.slice(-400)}` : text;
}
