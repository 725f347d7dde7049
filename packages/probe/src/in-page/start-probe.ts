import { findEmbedder } from "./embedder.ts";
import { measure, type Sight } from "./measure.ts";
import { observeProblems } from "./observe-problems.ts";
import { cut } from "./text.ts";

/** Maximum number of reports of one page. */
const MOST_REPORTS = 60;
/** Milliseconds without a change after which a page has settled; it is reported after `LONGEST_MS` in any case. */
const QUIET_MS = 300;
const LONGEST_MS = 5000;

export type Post = (type: string, what?: object) => void;

/**
 * Starts the probe. It runs in unknown pages: it defines no global names, and never throws into the
 * page.
 * It reports when the page has settled (loaded, no request active, 300 ms without a change, or
 * after 5 s), and again for anything new: an error, a blank page that fills, an overlay that
 * appears or disappears, a hot update (which resets earlier problems). If Treadle's page embeds it,
 * it reports to that page its address, and whether its own dev server is connected for hot updates.
 * In a frame it reports that fact (1), and whether the page requested storage that the browser
 * denies there, or its server requested isolation that it does not get (2).
 * @param origins of Treadle's page
 * @param isIsolated whether the page's server requested isolation
 * @param send sends a report
 */
export function startProbe(
  origins: readonly string[],
  isIsolated: boolean,
  send: (report: Sight & { path: string }, fetch: typeof window.fetch, post: Post) => void,
): void {
  const isTop = window.top === window;
  const embedder = findEmbedder(origins);
  if (!isTop && !embedder) return;
  const post: Post = (type, what) => embedder?.post(type, what);
  const { fetch, setTimeout: soon } = window;
  const now = () => performance.now();
  let frame = isTop ? 0 : isIsolated && !window.crossOriginIsolated ? 2 : 1;
  let timer: number | undefined;
  let askedAt = 0;
  let sent = 0;
  let last = "";
  let place = "";
  let isHot: true | undefined;

  const observed = observeProblems({
    problem: () => later(),
    hot() {
      isHot = true;
      reportPlace();
    },
    updated() {
      last = "";
      post("updated");
      later();
    },
  });

  function later(ms = QUIET_MS): void {
    askedAt ||= now();
    clearTimeout(timer);
    timer = soon(check, ms);
  }

  function check(): void {
    // A hidden frame has no layout and would count as blank, so it reports once it is shown.
    const root = document.documentElement;
    if (!isTop && root.checkVisibility && !root.checkVisibility()) {
      askedAt = 0;
      const shown = new ResizeObserver(() => {
        if (!root.checkVisibility()) return;
        shown.disconnect();
        later();
      });
      return shown.observe(root);
    }
    const isAtRest =
      document.readyState === "complete" &&
      observed.busy <= 0 &&
      now() - observed.moved >= QUIET_MS;
    if (now() - askedAt < LONGEST_MS && !isAtRest) return later(100);
    askedAt = 0;
    const { busy: _busy, moved: _moved, ...problems } = observed;
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const report = {
      path: location.pathname + location.search,
      status: entry?.responseStatus || 200,
      contentType: document.contentType,
      ...problems,
      frame,
      ms: Math.round(now()),
      ...measure(),
    };
    const key = JSON.stringify({ ...report, ms: 0, text: 0, title: 0 });
    if (key === last || sent++ > MOST_REPORTS) return;
    last = key;
    send(report, fetch, post);
  }

  function reportPlace(): void {
    const path = location.pathname + location.search + location.hash;
    const title = cut(document.title, 300);
    if (isTop || place === path + title + isHot) return;
    place = path + title + isHot;
    post("location", { path, title, hot: isHot });
  }

  if (!isTop) {
    reportDenied(() => {
      frame = 2;
      post("denied");
      later();
    });
    keepCookies();
  }
  const changes = new MutationObserver(() => {
    observed.moved = now();
    reportPlace();
    if (sent) later(700);
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  changes.observe(document, all);
  for (const name of ["pushState", "replaceState"] as const) {
    const was = history[name];
    history[name] = function (this: History, ...given) {
      Reflect.apply(was, this, given);
      reportPlace();
    };
  }
  for (const type of ["pageshow", "popstate", "hashchange"])
    window.addEventListener(type, () => {
      reportPlace();
      later();
    });
  embedder?.hear(({ type }) => {
    if (type === "treadle:back") history.back();
    if (type === "treadle:forward") history.forward();
    if (type === "treadle:reload") location.reload();
  });
}

/**
 * Reports that the page requests storage that the browser denies. An app that stores its data on
 * the server works without: only one that requests storage is affected.
 */
function reportDenied(onDenied: () => void): void {
  try {
    void window.localStorage;
  } catch {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      const own = Object.getOwnPropertyDescriptor(window, name);
      if (!own?.get || !own.configurable) continue;
      const { get } = own;
      Object.defineProperty(window, name, {
        ...own,
        get() {
          onDenied();
          return get.call(window);
        },
      });
    }
  }
}

/**
 * Makes cookies partitioned, since browsers store no others in a cross-site frame. The gateway does
 * the same to cookies in headers.
 */
function keepCookies(): void {
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie")!;
  Object.defineProperty(document, "cookie", {
    configurable: true,
    get: () => cookie.get!.call(document),
    set(value) {
      const plain = String(value).replace(/;\s*(samesite=\w*|secure|partitioned)/gi, "");
      cookie.set!.call(document, `${plain}; SameSite=None; Secure; Partitioned`);
    },
  });
}
