import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const html = (body: string, head = "") =>
  `<!doctype html><html><head><title>T</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

/** Constant of the WebSocket handshake (RFC 6455). */
const WS_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const reached: string[] = [];
const neighbour = createServer((request, response) => {
  reached.push(request.url ?? "");
  response.writeHead(200, { "access-control-allow-origin": "*" }).end("secret");
});
neighbour.on("upgrade", (request, socket) => {
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${WS_GUID}`);
  socket.write(
    `HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key.digest("base64")}\r\n\r\n`,
  );
});
let port = 0;

const pages: Record<string, string> = {
  "/good": html("<h1>Hello</h1><p>there</p>"),
  "/late": html(
    `<div id="a"></div><script>fetch("/data").then((r) => r.text()).then((t) => setTimeout(() => (a.textContent = t), 100))</script>`,
  ),
  "/data": "from the server",
  "/splash": html(
    `<div id="a"></div><script>setTimeout(() => (a.textContent = "at last"), 900)</script>`,
  ),
  "/forwards": html(`<script>location.replace("/late?from=here")</script>`),
  "/asks": html(`<p>x</p><script>alert("hello"); confirm("sure?"); open("/good")</script>`),
  "/boxes": html("<p>Größe \u{12f90}</p>"),
  "/throws": html(
    `<p>x</p><script>function f() { return undefined.x } f()</script><script>Promise.reject(new RangeError("later"))</script>`,
  ),
  "/logs": html(`<p>x</p><script>console.error("bad", { a: 1 }); console.warn("hm")</script>`),
  "/blank": html(`<div id="root"></div>`),
  "/hidden": html(`<p style="display: none">nobody sees it</p>`),
  "/svg": html(`<svg width="20" height="20"><circle r="9" /></svg>`),
  "/control": html(`<input>`),
  "/shadow": html(
    `<x-y></x-y><script>document.querySelector("x-y").attachShadow({ mode: "open" }).innerHTML = "<b>in the shadow</b>"</script>`,
  ),
  "/fails": html(`<p>x</p><script>fetch("/none").then(() => {})</script><img src="/no.png">`),
  "/overlay": html(
    `<p>x</p><script>
    const o = document.createElement("vite-error-overlay");
    o.attachShadow({ mode: "open" }).innerHTML = '<div class="window"><pre class="message"><span class="message-body">Unexpected token</span></pre><pre class="file">src/App.tsx:3</pre></div>';
    document.body.append(o)</script>`,
  ),
  "/busy": html(`<p>x</p><script>for (;;);</script>`),
  "/ticks": html(
    `<p id="p">0</p><script>setInterval(() => (p.textContent = String(Number(p.textContent) + 1)), 20)</script>`,
  ),
  "/fact": html(
    `<p id="p">Loading</p><script>fetch("https://api.invalid/fact").then((r) => r.json()).catch(() => (p.textContent = "Kein Fakt"))</script>`,
  ),
  "/counts": html(`<p>x</p><script>fetch("https://api.invalid/hit").catch(() => {})</script>`),
  "/outside": html(
    `<p>x</p><img src="http://pictures.invalid/a.png"><script>fetch("https://api.invalid/x")</script>`,
  ),
  "/outside-twice": html(
    `<p>x</p><script>fetch("https://cdn.invalid/x").catch(() => 0)</script><script src="https://cdn.invalid/a.js"></script>`,
  ),
  "/catches": html(`<p>x</p><script>fetch("https://api.invalid/x").catch(console.error)</script>`),
  "/beside": html(
    `<p id="p"></p><script>
    const port = location.search.slice(1);
    const s = new WebSocket("ws://" + location.hostname + ":" + port);
    s.onopen = async () => (p.textContent = await (await fetch("http://localhost:" + port)).text() + " opened")</script>`,
  ),
};

/** Tries every way out of a page, each to a different host; the page's text shows the results. */
const EVERY_WAY = `<p id="said">tries</p><link rel=preconnect href="https://preconnect.invalid">
<link rel=prefetch href="https://prefetch.invalid/a"><link rel=preload as=script href="https://preload.invalid/a">
<link rel=modulepreload href="https://module.invalid/a.js"><link rel=stylesheet href="https://style.invalid/a.css">
<style>@import "https://import.invalid/a.css"; @font-face { font-family: f; src: url(https://font.invalid/f) } p { font-family: f; background: url(https://background.invalid/b) }</style>
<video src="https://video.invalid/v"></video><iframe src="https://frame.invalid/"></iframe><object data="https://object.invalid/"></object>
<script>
const refused = (act) => Promise.race([act(), new Promise((r) => setTimeout(r, 2000, "refused"))]).then((one) => one ?? "done", () => "refused");
const socket = (one) => new Promise((done, fail) => { one.onopen = done; one.onerror = fail; });
(async () => {
  const tries = [
    () => fetch("/redirected", { mode: "no-cors" }),
    () => fetch("https://keepalive.invalid/", { keepalive: true, mode: "no-cors" }),
    () => socket(new WebSocket("wss://socket.invalid/")),
    () => socket(new WebSocket("ws://plain.invalid/")),
    () => socket(new EventSource("https://events.invalid/")),
    () => new WebTransport("https://transport.invalid:443/").ready,
    () => import("https://imported.invalid/a.js"),
    async () => { if (!navigator.sendBeacon("https://beacon.invalid/", "x")) throw 0; return "refused"; },
    async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: ["stun:stun.invalid:3478", "stun:93.184.216.34:3478"] }, { urls: "turn:turn.invalid:443?transport=tcp", username: "a", credential: "b" }] });
      const found = [];
      peer.onicecandidate = ({ candidate }) => candidate?.candidate && found.push(candidate.candidate);
      peer.createDataChannel("x");
      await peer.setLocalDescription();
      // The failure is not always reported.
      await new Promise((done) => { peer.onicegatheringstatechange = () => (found.length > 0 || peer.iceGatheringState === "complete") && done(); });
      if (found.length === 0) throw 0;
      return found.join();
    },
    async () => {
      await navigator.serviceWorker.register("/worker.js");
      const worker = (await navigator.serviceWorker.ready).active;
      const heard = new Promise((done) => { navigator.serviceWorker.onmessage = ({ data }) => done(data); });
      worker.postMessage("go");
      return heard;
    },
    () => new Promise((done) => { new Worker("/worker.js").onmessage = ({ data }) => done(data); }),
  ];
  said.textContent = (await Promise.all(tries.map(refused))).join(" ");
})();
</script>`;
const WORKER = `const go = (to) => fetch("https://" + to + ".invalid/", { mode: "no-cors" }).then(() => "done", () => "refused");
if (self.clients) onmessage = async ({ source }) => source.postMessage(await go("service-worker")); else go("worker").then(postMessage);`;

const site = createSite({
  ...pages,
  "/every-way": html(EVERY_WAY),
  "/worker.js": (_request, response) => {
    response.writeHead(200, { "content-type": "text/javascript" }).end(WORKER);
  },
  "/redirected": (_request, response) => {
    response
      .writeHead(307, {
        location: "https://redirected.invalid/",
        "alt-svc": 'h3="alt.invalid:443"',
      })
      .end();
  },
  "/goes": (_request, response) => {
    response
      .writeHead(302, { location: "http://gone.invalid/", refresh: "0;url=http://gone.invalid/" })
      .end();
  },
  "/escape": (_request, response) => {
    const tries = [
      `http://127.0.0.1:${port}/a`,
      `http://localhost:${port}/b`,
      `http://[::1]:${port}/c`,
      `http://2130706433:${port}/d`,
      `http://def.localhost:${port}/e`,
      "file:///etc/passwd",
      "http://169.254.169.254/latest",
    ];
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      html(
        `<pre id="out"></pre><script>Promise.all(${JSON.stringify(tries)}.map((url) =>
        fetch(url).then(async (r) => url + " -> " + r.status + " " + (await r.text()), () => url + " -> no")))
        .then((lines) => (out.textContent = lines.join("\\n")))</script>`,
      ),
    );
  },
  "/moved": (_request, response) => {
    response.writeHead(302, { location: "/good" }).end();
  },
  "/strict": (_request, response) => {
    response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'");
    response.end("<!doctype html><title>S</title><p>strict</p>");
  },
  "/error": { status: 500, body: html("<p>Oh no</p>") },
  "/drops": (_request, response) => void response.destroy(),
});
const { browser } = site;
const look = (path: string) => browser.look({ origin: ORIGIN, path });

beforeAll(async () => {
  await new Promise<void>((done) => neighbour.listen(0, done));
  port = (neighbour.address() as AddressInfo).port;
  expect(await browser.available()).toMatchObject({ ok: true });
});
afterAll(async () => {
  await browser.close();
  neighbour.close();
});

it.concurrent("takes a picture if requested, and none if nothing answered", async () => {
  const pictures: Uint8Array[] = [];
  const boxes: string[] = [];
  const onPicture = (bytes: Uint8Array, undrawn: readonly string[]) => {
    pictures.push(bytes);
    boxes.push(...undrawn);
  };
  for (const path of ["/throws", "/drops"]) await browser.look({ origin: ORIGIN, path, onPicture });
  expect(pictures).toHaveLength(1);
  expect(pictures[0]?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  expect(pictures[0]?.length).toBeLessThan(1_000_000);
  expect(boxes).toEqual([]);
  // Cypro-Minoan, which hardly any font contains.
  await browser.look({ origin: ORIGIN, path: "/boxes", onPicture });
  expect(boxes).toEqual(["\u{12f90}"]);
});

it.concurrent("reports what a page shows", async () => {
  const report = await look("/good");
  expect(report).toMatchObject({
    source: "headless",
    path: "/good",
    status: 200,
    title: "T",
    rendered: true,
    uncaughtErrors: [],
    consoleErrors: [],
    failedRequests: [],
  });
  expect(report.contentType).toContain("text/html");
  expect(report.text).toMatch(/Hello\s+there/);
  expect(report.overlay).toBeUndefined();
});

it.concurrent("waits until a page has fetched and rendered", async () => {
  expect((await look("/late")).text).toBe("from the server");
});

it.concurrent("waits for a page that it navigates to, and for one that renders late", async () => {
  expect((await look("/forwards")).text).toBe("from the server");
  expect((await look("/splash")).text).toBe("at last");
});

it.concurrent("is not blocked by dialogs and windows", async () => {
  expect(await look("/asks")).toMatchObject({ rendered: true, uncaughtErrors: [] });
});

it.concurrent("inspects a page whose policy forbids evaluation", async () => {
  expect(await look("/strict")).toMatchObject({ rendered: true, text: "strict", title: "S" });
});

it.concurrent("reports uncaught errors and rejections with their location", async () => {
  const { uncaughtErrors } = await look("/throws");
  expect(uncaughtErrors[0]).toMatchObject({
    message: expect.stringContaining("TypeError: Cannot read properties of undefined"),
    source: expect.stringMatching(/^\/throws:1:\d+$/),
  });
  expect(uncaughtErrors[1]?.message).toBe("RangeError: later");
});

it.concurrent("reports what is printed as an error, but no warnings", async () => {
  const { consoleErrors } = await look("/logs");
  expect(consoleErrors).toHaveLength(1);
  expect(consoleErrors[0]?.message).toMatch(/^bad/);
  expect(consoleErrors[0]?.source).toMatch(/^\/logs:1:/);
});

it.concurrent.each(["/blank", "/hidden"])("%s is blank", async (path) => {
  expect(await look(path)).toMatchObject({ rendered: false, text: "" });
});

it.concurrent.each(["/svg", "/control", "/shadow"])("%s is not blank", async (path) => {
  expect(await look(path)).toMatchObject({ rendered: true });
});

it.concurrent("reports each failed request once", async () => {
  const { failedRequests, consoleErrors, uncaughtErrors } = await look("/fails");
  expect(failedRequests.map(({ url, status }) => [url, status]).toSorted()).toEqual([
    ["/no.png", 404],
    ["/none", 404],
  ]);
  expect([...consoleErrors, ...uncaughtErrors]).toEqual([]);
});

it.concurrent("reads a framework's error overlay", async () => {
  expect((await look("/overlay")).overlay).toContain("Unexpected token");
});

it.concurrent("follows redirects, and reports error pages and dropped connections", async () => {
  expect(await look("/moved")).toMatchObject({ status: 200, rendered: true });
  expect(await look("/error")).toMatchObject({ status: 500, rendered: true, text: "Oh no" });
  expect(await look("/drops")).toMatchObject({ status: 0, rendered: false });
});

it.concurrent("does not wait for a page that never becomes idle", async () => {
  const report = await look("/ticks");
  expect(Number(report.text)).toBeGreaterThan(1);
});

it.concurrent("A62 reports the hosts that the page could not reach, and what for", async () => {
  const report = await look("/outside");
  expect(report.wanted).toEqual([
    { host: "pictures.invalid", why: "not-allowed", for: "looks" },
    { host: "api.invalid", why: "not-allowed", for: "data" },
  ]);
  expect(report.uncaughtErrors).toMatchObject([{ message: "TypeError: Failed to fetch" }]);
  expect(report.failedRequests.map(({ status }) => status)).toEqual([0, 0]);
  for (const { reason } of report.failedRequests)
    expect(reason).toMatch(/^this project may not reach (?:pictures|api)\.invalid$/);
});

it.concurrent("reports what a page shows in place of missing data, and nothing if it works without", async () => {
  expect((await look("/fact")).inPlaceOfData).toBe("Kein Fakt");
  const counts = await look("/counts");
  expect(counts.wanted).toMatchObject([{ for: "data" }]);
  expect(counts.inPlaceOfData).toBeUndefined();
});

it.concurrent("A62 applies the list to every way out of a page", async () => {
  const report = await look("/every-way");
  expect(new Set(report.text.split(" "))).toEqual(new Set(["refused"]));
  const reasons = new Set(report.wanted?.map(({ why }) => why));
  expect(reasons).toEqual(new Set(["not-allowed"]));
  const hosts = report.wanted?.map(({ host }) => host.replace(".invalid", ""));
  for (const host of ["redirected", "socket", "service-worker", "worker", "beacon", "import"])
    expect(hosts).toContain(host);
  expect((await look("/goes")).wanted).toMatchObject([
    { host: "gone.invalid", why: "not-allowed" },
  ]);
});

it.concurrent("reports everything that a host was needed for", async () => {
  const { wanted: wants = [] } = await look("/outside-twice");
  expect(wants.map((want) => want.for).toSorted()).toEqual(["data", "script"]);
});

it.concurrent("reports hosts that the project may reach and this machine cannot", async () => {
  const hosts = ["pictures.invalid", "api.invalid"];
  const report = await browser.look({ origin: ORIGIN, path: "/outside", hosts });
  expect(report.wanted?.map(({ why }) => why)).toEqual(["unreached", "unreached"]);
  expect(report.failedRequests[0]?.reason).toContain("cannot be reached from this machine");
});

it.concurrent("notes errors about that which the app caught and printed", async () => {
  const report = await look("/catches");
  expect(report.consoleErrors[0]?.message).toMatch(
    /^Not reached: api\.invalid\. .*Failed to fetch/,
  );
});

it("A62 gives each of two concurrent looks its own project's hosts", async () => {
  const [one, other] = await Promise.all([
    browser.look({ origin: ORIGIN, path: "/outside", hosts: ["api.invalid"] }),
    browser.look({ origin: ORIGIN, path: "/outside", hosts: ["pictures.invalid"] }),
  ]);
  const allowed = (report: typeof one) =>
    report.wanted?.filter(({ why }) => why === "unreached").map(({ host }) => host);
  expect(allowed(one)).toEqual(["api.invalid"]);
  expect(allowed(other)).toEqual(["pictures.invalid"]);
});

it("reaches a port of the page's own sandbox as localhost, also with a WebSocket", async () => {
  const own = createSite(pages, { port });
  try {
    const report = await own.browser.look({ origin: ORIGIN, path: `/beside?${port}` });
    expect(report.text).toBe("secret opened");
  } finally {
    await own.browser.close();
  }
});

it("A16: a page reaches neither this machine nor its files nor a metadata service", async () => {
  reached.length = 0;
  const report = await look("/escape");
  const lines = report.text.split("\n");
  expect(lines).toHaveLength(7);
  for (const line of lines) expect(line).toMatch(/ -> (?:no|403 )$/);
  expect(reached).toEqual([]);
});

it("A16: a path always stays in the preview", async () => {
  site.asked.length = 0;
  for (const path of ["//def.localhost/", "@127.0.0.1/", "file:///etc/passwd"]) await look(path);
  expect(site.asked).toEqual([
    "GET //def.localhost/",
    "GET /@127.0.0.1/",
    "GET /file:///etc/passwd",
  ]);
});

it("ends a look on request, and continues with the next", async () => {
  const controller = new AbortController();
  const aborted = browser.look({ origin: ORIGIN, path: "/busy", signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  expect((await look("/good")).rendered).toBe(true);
});

it("runs looks concurrently, each in a separate context", async () => {
  const reports = await Promise.all(["/good", "/logs", "/blank"].map(look));
  expect(reports.map(({ rendered }) => rendered)).toEqual([true, true, false]);
  expect(reports.map(({ consoleErrors }) => consoleErrors.length)).toEqual([0, 1, 0]);
});

it("opens pages of one project together, and another project's after them", async () => {
  let open = 0;
  const most: Record<string, number> = {};
  // Each page waits for another one of its project, as long as a busy machine may need to open it.
  const together: (() => void)[] = [];
  const held = createSite({
    "/": (request, response) => {
      const host = request.headers.host?.split(".")[0] ?? "";
      most[host] = Math.max(most[host] ?? 0, ++open);
      const answer = () => (open--, response.end("<p>here</p>"));
      if (host !== "a2" && host !== "a3") return void setTimeout(answer, 300);
      together.push(answer);
      if (together.length === 2) for (const each of together.splice(0)) each();
    },
    "/favicon.ico": "",
  });
  try {
    const at = (name: string, project: string) =>
      held.browser.look({ origin: `http://${name}.localhost:4173`, path: "/", project });
    await Promise.all([at("a1", "a"), at("b1", "b"), at("a2", "a"), at("a3", "a")]);
    expect(most["b1"]).toBe(1);
    expect(Math.max(most["a2"]!, most["a3"]!)).toBe(2);
  } finally {
    await held.browser.close();
  }
});

it("takes a picture of the requested size", async () => {
  const png = await browser.screenshot({ origin: ORIGIN, path: "/good", width: 320, height: 200 });
  const view = new DataView(png.buffer, png.byteOffset);
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([320, 200]);
});

it("reports a page kept busy by a script, by its computing time and not by the clock", async () => {
  const hasty = createSite(pages, { busySeconds: 1 }).browser;
  try {
    const report = await hasty.look({ origin: ORIGIN, path: "/busy" });
    expect(report.uncaughtErrors.at(-1)?.message).toContain("a script keeps it busy");
    expect((await hasty.look({ origin: ORIGIN, path: "/good" })).rendered).toBe(true);
  } finally {
    await hasty.close();
  }
});
