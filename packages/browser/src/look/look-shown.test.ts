import { judgeConsole } from "@treadle/agent";
import { afterAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const html = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>T</title><link rel="icon" href="data:,">${head}</head><body style="margin:0">${body}</body></html>`;
const drawn = (code: string) =>
  html(
    `<canvas id="c" width="300" height="200"></canvas><script>const x = c.getContext("2d"); ${code}</script>`,
  );
const js = (body: string) => ({ type: "text/javascript", body });

const site = createSite(
  {
    "/canvas": drawn('x.fillStyle = "#fc0"; x.fillRect(10, 10, 50, 50)'),
    "/canvas-empty": drawn(""),
    "/closed-shadow": html(
      `<x-y></x-y><script>document.querySelector("x-y").attachShadow({ mode: "closed" }).innerHTML = "<h1>in the shadow</h1>"</script>`,
    ),
    "/gradient": html('<div style="height: 100vh; background: linear-gradient(red, blue)"></div>'),
    "/plain-colour": html("", "<style>body { background: #eee }</style>"),
    "/frame": html('<iframe src="/inner" style="width: 100%; height: 300px; border: 0"></iframe>'),
    "/frame-empty": html(
      '<iframe src="/empty" style="width: 100%; height: 300px; border: 0"></iframe>',
    ),
    "/inner": html("<h1>Inner app</h1>"),
    "/empty": html(""),
    "/white-on-white": html("<h1 style='color: #fff'>Nobody reads this</h1>"),
    "/black-on-black": html("<h1>Nor this</h1>", "<style>body { background: #000 }</style>"),
    "/light-alone": html("<h1>Made for paper</h1>", "<style>h1 { color: #111 }</style>"),
    "/knows-dark": html(
      "<h1>Made for both</h1>",
      "<style>:root { color-scheme: light dark }</style>",
    ),
    "/black-in-dark": html(
      "<h1>Nobody thought of it</h1>",
      "<style>:root { color-scheme: light dark } h1 { color: #111 }</style>",
    ),
    "/part-in-dark": html(
      "<h1>Title</h1><p style='color: #111'>Small  print</p><p style='color: #111; opacity: 0'>Hint</p>",
      "<style>:root { color-scheme: light dark }</style>",
    ),
    "/faint": html("<h1>Title</h1><p style='color: #eee'>Small print</p>"),
    "/dark-by-script": html(
      "<h1>Decided once</h1>",
      "<script>if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.style = 'background: #000; color: #0a0a0a'</script>",
    ),
    "/light-by-script": html(
      "<h1>Decided once</h1>",
      "<style>:root { color-scheme: light dark }</style><script>document.documentElement.style.color = matchMedia('(prefers-color-scheme: dark)').matches ? '#eee' : '#111'</script>",
    ),
    "/turns": html(
      "<h1>Slowly</h1>",
      "<style>:root { color-scheme: light dark } h1 { color: light-dark(#111, #eee); transition: color 200ms }</style>",
    ),
    "/over-picture": html(
      "<div style='position: absolute; inset: 0; background: navy'></div><h1 style='position: relative; color: #fff'>Read me</h1>",
    ),
    "/faded": html("<h1 style='opacity: 0'>Not yet</h1>"),
    "/fades-in": html(
      "<h1>Here I come</h1>",
      "<style>@keyframes in { from { opacity: 0 } } h1 { animation: in 1s 1s both }</style>",
    ),
    "/loading": html("<h1>Items</h1><p>Loading…</p>"),
    "/spinner": html(
      '<div class="spinner"></div>',
      "<style>@keyframes turn { to { rotate: 360deg } } .spinner { width: 40px; height: 40px; border: 4px solid #ccc; border-top-color: #333; border-radius: 50%; animation: turn 1s linear infinite }</style>",
    ),
    "/waits": html(
      '<h1>Items</h1><p id="t">Loading…</p><script>fetch("/never").then(() => (t.textContent = "x"))</script>',
    ),
    "/never": () => {},
    "/links": html(
      '<h1>Home</h1><a href="/inner">in</a> <a href="/contact.html">Contact</a> <a href="/breaks">B</a> <a href="#x">x</a> <a href="/logout">out</a> <a href="https://example.com/">ex</a>',
    ),
    "/breaks": { status: 500, body: "no" },
    "/logout": { status: 404, body: "" },
    "/module-as-html": html('<h1>Shell</h1><script type="module" src="/page.js"></script>'),
    "/page.js": html("the page instead of the script"),
    "/jsx": html('<h1>Shell</h1><script type="module" src="/main.jsx"></script>'),
    "/main.jsx": { type: "text/plain", body: "const A = () => <h1>Hi</h1>;" },
    "/classic-as-html": html('<h1>Shell</h1><script src="/page.js"></script>'),
    "/integrity": html(
      `<h1>Shell</h1><script src="/plain.js" integrity="sha256-${"A".repeat(43)}="></script>`,
    ),
    "/nosniff": html('<h1>Shell</h1><script src="/plain.js"></script>'),
    "/plain.js": (_request, response) => {
      response.setHeader("content-type", "text/plain");
      response.setHeader("x-content-type-options", "nosniff");
      response.end("1");
    },
    "/policy": html(
      "<h1>Shell</h1><script>document.body.append('never')</script>",
      `<meta http-equiv="content-security-policy" content="script-src 'self'">`,
    ),
    "/boundary": html(
      `<p>Something else</p><script>try { undefined.x } catch (e) { console.error("%o\\n\\n%s\\n\\n%s\\n", e, "The above error occurred in the <Bad> component.", "React will try to recreate this component tree") }</script>`,
    ),
    "/logged": html(
      `<h1>Hi</h1><script>console.error("Error: demo data used, no API key set"); try { JSON.parse("") } catch (e) { console.error(e) }</script>`,
    ),
    "/logged-and-says-so": html(
      `<h1>Items</h1><p>Something went wrong.</p><script>try { JSON.parse("<") } catch (e) { console.error(e) }</script>`,
    ),
    "/permissions": html(
      `<h1>Near me</h1><p id="t">Locating…</p><script>
    navigator.geolocation.getCurrentPosition(() => {}, (e) => (t.textContent = "Location off: " + e.message));
    navigator.mediaDevices.getUserMedia({ video: true }).catch((e) => console.error(e));
    navigator.mediaDevices.getUserMedia({ audio: true });
    Notification.requestPermission()</script>`,
    ),
    "/own-404": html(`<h1>Items</h1><script>fetch("/api/item").then(() => {})</script>`),
    "/own-401": html(`<h1>Items</h1><script>fetch("/api/me").then(() => {})</script>`),
    "/api/me": { status: 401, body: "" },
    "/ok.js": js("1"),
    "/says-all-is-well": html(
      "<h1>Items</h1><script>window.onerror = () => true; null.items</script>",
    ),
    "/hides-rejections": html(
      `<h1>Items</h1><script>addEventListener("unhandledrejection", (e) => e.preventDefault()); Promise.reject(new RangeError("too many"))</script>`,
    ),
    "/hides-aborts": html(
      `<h1>Items</h1><script>addEventListener("unhandledrejection", (e) => e.preventDefault()); Promise.reject(new DOMException("called off", "AbortError"))</script>`,
    ),
    "/hides-noise": html(
      "<h1>Items</h1><script>window.onerror = () => true; dispatchEvent(new ErrorEvent('error', { cancelable: true, message: 'ResizeObserver loop completed' }))</script>",
    ),
    "/style-as-html": html("<h1>Items</h1>", `<link rel="stylesheet" href="/site.css">`),
    "/picture-as-html": html(`<h1>Items</h1><img alt="" src="/logo.png">`),
    "/font-as-html": html(
      "<h1>Items</h1>",
      "<style>@font-face { font-family: Q; src: url(/q.woff2) } h1 { font-family: Q }</style>",
    ),
    "/picture-of-nothing": html(`<h1>Items</h1><img alt="" src="#">`),
    "/site.css": html("the page again"),
    "/logo.png": html("the page again"),
    "/q.woff2": html("the page again"),
  },
  { heldMs: 3_000 },
);
const { browser } = site;
const look = (path: string) => browser.look({ origin: ORIGIN, path });
afterAll(() => browser.close());

describe.concurrent("whether anything is visible, by a screenshot if the document does not tell", () => {
  it.each([
    ["a canvas that is drawn on", "/canvas", true],
    ["a canvas that nothing is drawn on", "/canvas-empty", false],
    ["a closed shadow", "/closed-shadow", true],
    ["a drawn ground", "/gradient", true],
    ["one plain colour", "/plain-colour", false],
    ["a frame with a page in it", "/frame", true],
    ["a frame with nothing in it", "/frame-empty", false],
    ["text that fades in after a second", "/fades-in", true],
    ["text that never fades in", "/faded", false],
    ["text over a coloured layer", "/over-picture", true],
  ])("%s", async (_, path, rendered) => {
    const report = await look(path);
    expect(report.rendered).toBe(rendered);
    expect(report.unreadable).toBe(path === "/faded" ? true : undefined);
  });

  it.each(["/white-on-white", "/black-on-black"])(
    "text in its background's colour is unreadable: %s",
    async (path) => {
      expect((await look(path)).unreadable).toBe(true);
    },
  );

  it.each([
    ["a page that knows no dark", "/light-alone", undefined],
    ["a page that knows both", "/knows-dark", undefined],
    ["a page whose colours turn slowly", "/turns", undefined],
    ["a page whose script decides once, and well", "/light-by-script", undefined],
    ["ink for paper on the dark canvas", "/black-in-dark", { unreadable: true }],
    ["a script that decides once, and badly", "/dark-by-script", { unreadable: true }],
    ["a part of it", "/part-in-dark", { faint: ["Small print"] }],
  ])("in a browser that prefers dark: %s", async (_, path, dark) => {
    const report = await look(path);
    expect(report.rendered).toBe(true);
    expect(report.unreadable).toBeUndefined();
    expect(report.dark).toEqual(dark);
  });

  it("an element with nearly its background's colour", async () => {
    const { unreadable, faint, dark } = await look("/faint");
    expect({ unreadable, faint, dark }).toEqual({
      faint: ["Small print"],
      dark: { faint: ["Small print"] },
    });
  });

  it("a line that still says Loading once the page is idle", async () => {
    expect((await look("/loading")).waiting).toBe("Loading…");
    expect((await look("/spinner")).waiting).toBe("a spinner");
  });

  it("what the page waits for, if that does not answer", async () => {
    expect(await look("/waits")).toMatchObject({
      waiting: "Loading…",
      failedRequests: [{ url: "/never", status: 0, reason: "it has not answered yet" }],
    });
  });
});

it.concurrent("reports a dead link of the page without opening it, and requests no link that acts", async () => {
  const { failedRequests, links } = await look("/links");
  expect(failedRequests).toEqual([
    { method: "GET", url: "/contact.html", status: 404, reason: "the page links to it" },
    { method: "GET", url: "/breaks", status: 500, reason: "the page links to it" },
  ]);
  expect(links).toEqual(["/inner", "/contact.html", "/breaks"]);
  expect(site.asked).not.toContain("GET /logout");
});

describe.concurrent("problems that count against a page", () => {
  it.each([
    [
      "a module that is sent as a page",
      "/module-as-html",
      /^not run: Failed to load module script/,
    ],
    ["JSX that nobody built", "/jsx", /^not run: Failed to load module script.*main\.jsx/],
    ["a script that is sent as a page", "/classic-as-html", /^uncaught: SyntaxError/],
    ["a script of a type that may not run", "/nosniff", /^not run: Refused to execute script/],
    [
      "a script that is another than the page says",
      "/integrity",
      /^not run: Failed to find a valid digest/,
    ],
    ["a script that its own policy keeps out", "/policy", /^not run: .*Content Security Policy/],
    [
      "a component that threw, caught by a boundary",
      "/boundary",
      /^console: TypeError: .*The above error/,
    ],
    ["a logged exception where the page says so", "/logged-and-says-so", /^console: SyntaxError/],
    [
      "a page in place of /site.css",
      "/style-as-html",
      /^GET \/site.css failed: it is not there, and a page/,
    ],
    [
      "a page in place of /logo.png",
      "/picture-as-html",
      /^GET \/logo.png failed: it is not there, and a page/,
    ],
    [
      "a page in place of /q.woff2",
      "/font-as-html",
      /^GET \/q.woff2 failed: it is not there, and a page/,
    ],
    [
      "what it threw, where its own handler says that all is well",
      "/says-all-is-well",
      /^uncaught: TypeError: .*items/,
    ],
    [
      "a rejection that its own handler hides",
      "/hides-rejections",
      /^uncaught: RangeError: too many/,
    ],
    ["an own address that is not there", "/own-404", /^GET \/api\/item answered 404/],
  ])("%s", async (_, path, problem) => {
    expect(judgeConsole(await look(path)).problem).toMatch(problem);
  });

  it.each([
    ["what it caught and logged", "/logged"],
    ["what it was not granted", "/permissions"],
    ["that nobody is signed in", "/own-401"],
    ["a picture whose address is its own", "/picture-of-nothing"],
    ["noise of the browser that it hides", "/hides-noise"],
    ["what it called off itself, and hides", "/hides-aborts"],
  ])("is not %s", async (_, path) => {
    expect(judgeConsole(await look(path)).problem).toBeUndefined();
  });
});
