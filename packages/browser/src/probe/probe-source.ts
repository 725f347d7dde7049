import { REPORT_PATH } from "./own-paths.ts";
import { MEASURE } from "./measure.ts";
import { NEARBY } from "./nearby-source.ts";

/**
 * The source of the probe; `createProbe` minifies it. It runs in unknown pages: it defines no
 * global names, wraps as little as possible, and never throws into the page.
 * It reports when the page has settled (loaded, no request active, 300 ms without a change, or
 * after 5 s), and again for anything new: an error, a blank page that fills, an overlay that
 * appears or disappears, a hot update (which resets earlier problems). If Treadle's page embeds it,
 * it tells that page its address, whether its own dev server is connected for hot updates, and the
 * gateway's response to its reports.
 * In a frame it reports that fact (1), and whether the page requested storage that the browser
 * denies there, or its server requested isolation that it does not get (2): the script's element
 * contains the latter.
 * @param audience where the reports go: to the gateway, or to the embedding page
 */
export const probeSource = (
  origins: string[],
  audience: "gateway" | "embedder" = "gateway",
) => String.raw`(() => {
  const w = window, d = document, top = w.top === w, apps = ${JSON.stringify(origins)};
  ${audience === "embedder" ? "const me = null;" : NEARBY}
  const outer = top ? "" : location.ancestorOrigins ? location.ancestorOrigins[0] : apps[0];
  // A frame within the app is a part of it, not the preview.
  if (!top && (w.parent !== w.top || !apps.includes(outer))) return;
  const measure = ${MEASURE};
  let frame = top ? 0 : me?.dataset.isolated > w.crossOriginIsolated ? 2 : 1;
  const { fetch: ask, setTimeout: soon } = w, now = () => performance.now();
  let uncaught, logged, failed, timer, asked, moved = 0, busy = 0, last, place, hot, sent = 0;
  const clear = () => { uncaught = [], logged = [], failed = [], last = ""; };
  const cut = (text, size = 600) => String(text).slice(0, size);
  const show = (x) => {
    try { return x instanceof Error ? x.stack || x.message : typeof x == "object" ? JSON.stringify(x) : String(x); } catch { return "?"; }
  };
  const add = (list, item) => { if (list.length < 10) list.push(item), later(); };
  const problem = (e, message, source) => ({ message: cut(message || (e?.message ? e.name + ": " + e.message : show(e))), source, stack: e?.stack ? cut(e.stack, 1500) : void 0 });
  const fail = (method, url, status, reason) => add(failed, { method: cut(method, 20), url: cut(url), status, reason });

  const say = (type, what) => top || w.parent.postMessage({ type: "treadle:" + type, ...what }, outer);
  const later = (ms = 300) => { asked ||= now(); clearTimeout(timer); timer = soon(check, ms); };
  const check = () => {
    // A hidden frame has no layout and would count as blank, so it reports once it is shown.
    const root = d.documentElement;
    if (!top && root.checkVisibility && !root.checkVisibility()) {
      asked = 0;
      return new ResizeObserver((_, o) => { if (root.checkVisibility()) o.disconnect(), later(); }).observe(root);
    }
    if (now() - asked < 5000 && (d.readyState != "complete" || busy > 0 || now() - moved < 300)) return later(100);
    asked = 0;
    const entry = performance.getEntriesByType("navigation")[0];
    const report = { path: location.pathname + location.search, status: entry?.responseStatus || 200, contentType: d.contentType, uncaughtErrors: uncaught, consoleErrors: logged, failedRequests: failed, frame, ms: Math.round(now()), ...measure() };
    const key = JSON.stringify({ ...report, ms: 0, text: 0, title: 0 });
    if (key == last || sent++ > 60) return;
    last = key;
    ${audience === "embedder" ? `say("report", { report });` : `ask("${REPORT_PATH}", { method: "POST", body: JSON.stringify(report) }).then((r) => r.json()).then((seen) => say("seen", { seen })).catch(() => {});`}
  };

  // An app that stores its data on the server works without browser storage: only one that requests
  // storage is affected.
  if (!top) try { w.localStorage; } catch {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      const own = Object.getOwnPropertyDescriptor(w, name);
      if (own?.get && own.configurable) Object.defineProperty(w, name, { ...own, get() {
        frame = 2, say("denied"), later();
        return own.get.call(w);
      } });
    }
  }

  clear();
  w.addEventListener("error", (e) => {
    const t = e.target, url = t && t !== w && (t.src || t.href);
    if (url) fail("GET", url, 0);
    else if (e.message && !/^ResizeObserver loop/.test(e.message)) add(uncaught, problem(e.error, e.error ? "" : e.message, e.filename && e.filename + ":" + e.lineno + ":" + e.colno));
  }, true);
  w.addEventListener("unhandledrejection", (e) => add(uncaught, problem(e.reason)));
  const error = console.error;
  console.error = function (...a) {
    const rest = [...a], first = typeof a[0] == "string" ? rest.shift().replace(/%[sdifoOc]/g, (p) => { const x = rest.shift(); return p == "%c" ? "" : show(x); }) : "";
    add(logged, { message: cut([first, ...rest.map(show)].join(" ").trim()) });
    return error.apply(this, a);
  };
  w.fetch = function (...a) {
    const method = (a[1] || a[0] || {}).method || "GET", url = (a[0] && a[0].url) || a[0];
    busy++;
    return ask.apply(this, a).then((r) => {
      busy--, moved = now();
      if (r.status >= 400) fail(method, r.url, r.status);
      return r;
    }, (e) => {
      busy--, moved = now();
      if (e?.name != "AbortError") fail(method, url, 0, cut(e?.message));
      throw e;
    });
  };
  const X = XMLHttpRequest.prototype, open = X.open;
  X.open = function (method, url) {
    for (const type of ["load", "error"]) this.addEventListener(type, () => { if (!this.status || this.status >= 400) fail(method, this.responseURL || url, this.status); }, { once: true });
    return open.apply(this, arguments);
  };
  w.WebSocket = new Proxy(WebSocket, { construct(T, a, n) {
    const s = Reflect.construct(T, a, n);
    if (/hmr|\/ws$/.test(a.join())) s.addEventListener("open", () => { hot = true, tell(); }), s.addEventListener("message", (e) => { if (/"(js-update|built|sync|ok|turbopack-message)"/.test(e.data)) clear(), say("updated", {}), moved = now(), later(); });
    return s;
  } });

  // The gateway does the same to cookies in headers: in a cross-site frame, browsers keep no
  // others.
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  if (!top) Object.defineProperty(d, "cookie", {
    configurable: true,
    get: () => cookie.get.call(d),
    set: (value) => cookie.set.call(d, String(value).replace(/;\s*(samesite=\w*|secure|partitioned)/gi, "") + "; SameSite=None; Secure; Partitioned"),
  });
  const tell = () => {
    const path = location.pathname + location.search + location.hash, title = cut(d.title, 300);
    if (top || place == path + title + hot) return;
    place = path + title + hot;
    say("location", { path, title, hot });
  };
  new MutationObserver(() => { moved = now(); tell(); if (sent) later(700); }).observe(d, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const name of ["pushState", "replaceState"]) {
    const was = history[name];
    history[name] = function () { was.apply(this, arguments); tell(); };
  }
  for (const type of ["pageshow", "popstate", "hashchange"]) w.addEventListener(type, () => { tell(); later(); });
  if (!top) w.addEventListener("message", (e) => {
    if (e.source !== w.parent || e.origin !== outer || !e.data) return;
    const { type } = e.data;
    if (type == "treadle:back") history.back();
    if (type == "treadle:forward") history.forward();
    if (type == "treadle:reload") location.reload();
  });
})();
`;
