import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const html = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>T</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;
const js = (body: string) => ({ type: "text/javascript", body });
const later = (ms: number, code: string) => `<script>setTimeout(() => { ${code} }, ${ms})</script>`;

let onEnd = () => {};

const site = createSite(
  {
    "/late": html(`<h1>Dashboard</h1>${later(3_000, 'throw new Error("late boom")')}`),
    "/later": html(`<h1>Dashboard</h1>${later(50_000, 'throw new Error("later boom")')}`),
    "/loop": html(`<h1>Loop</h1>${later(100, "location.reload()")}`),
    "/slow-loop": html(`<h1>Loop</h1>${later(49_000, "location.reload()")}`),
    "/ping": html(`<h1>a</h1>${later(200, 'location = "/pong"')}`),
    "/pong": html(`<h1>b</h1>${later(200, 'location = "/ping"')}`),
    "/board": html("<h1>Departures</h1>", '<meta http-equiv="refresh" content="5">'),
    "/moves-on": html(`<h1>Splash</h1>${later(2_000, 'location = "/home"')}`),
    "/home": html("<h1>Home</h1>"),
    "/slow": html('<h1>Dashboard</h1><script async src="/slow.js"></script>'),
    "/slow.js": (_request, response) => {
      setTimeout(() => {
        response.setHeader("content-type", "text/javascript");
        response.end('throw new Error("slow script is broken")');
      }, 1_500);
    },
    "/hang": html('<div id="root"></div><script src="/never"></script>'),
    "/never": () => {},
    "/polls": html(
      `<h1 id="h">0</h1><script>setInterval(() => fetch("/data").then((r) => r.text()).then(() => h.textContent++), 1000)</script>`,
    ),
    "/data": "x",
    "/aborts": html(
      `<h1 id="h">-</h1>${later(1_000, 'fetch("/slow-data", { signal: AbortSignal.timeout(4000) }).then((r) => r.text()).then((t) => (h.textContent = t))')}`,
    ),
    "/slow-data": (_request, response) => void setTimeout(() => response.end("came"), 300),
    "/events": (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: hello\n\n");
    },
    "/listens": html(
      `<p id="p">-</p><script>new EventSource("/events").onmessage = (e) => (p.textContent = e.data)</script>${later(3_000, 'throw new Error("late beside events")')}`,
    ),
    "/holds": html(`<h1>Chat</h1><script>fetch("/never").catch(() => {})</script>`),
    "/worker": html(
      `<p id="p">-</p><script>new Worker("/worker.js").onmessage = (e) => (p.textContent = e.data)</script>`,
    ),
    "/worker.js": js('postMessage("from the worker")'),
    "/app": html(
      `<p id="p">-</p><script>navigator.serviceWorker.oncontrollerchange = () => fetch("/mocked").then((r) => r.text()).then((t) => (p.textContent = t)); navigator.serviceWorker.register("/sw.js")</script>${later(8_000, 'throw new Error("late beside a service worker")')}`,
    ),
    "/sw.js": js(
      `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());
       onfetch = (e) => { if (e.request.url.endsWith("/mocked")) e.respondWith(new Response("mocked")); }`,
    ),
    "/pings": html(
      `<p id="p">-</p><script>
      const ws = new WebSocket("ws://" + location.host + "/chat");
      let heard = 0;
      ws.onmessage = (e) => { p.textContent = e.data; heard++; };
      ws.onopen = () => setInterval(() => {
        const before = heard;
        ws.send("ping");
        setTimeout(() => { if (heard === before) throw new Error("the connection is dead") }, 3000);
      }, 5000);
      </script>`,
    ),
    "/no-socket": html(
      `<h1>Chat</h1><script>new WebSocket("ws://" + location.host + "/refused")</script>`,
    ),
    "/no-hot-socket": html(
      `<h1>Chat</h1><script>new WebSocket("ws://" + location.host + "/?token=abc", "vite-hmr")</script>`,
    ),
    "/greedy": html(
      `<h1>Hi</h1>${later(200, "const all = []; for (;;) all.push(new Array(1e6).fill({}))")}`,
    ),
    "/ends": html(`<h1>Hi</h1>${later(5_000, 'fetch("/end")')}`),
    "/end": () => onEnd(),
  },
  {
    heldMs: 3_000,
    upgrade(request, socket) {
      if (request.url !== "/chat") return void socket.destroy();
      const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash("sha1").update(key).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      const send = (text: string) =>
        socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]));
      send("hello");
      socket.on("data", () => send("pong"));
      socket.on("error", () => {});
    },
  },
);
const { browser } = site;
const look = (path: string) => browser.look({ origin: ORIGIN, path });
afterAll(() => browser.close());

const messages = async (path: string) =>
  (await look(path)).uncaughtErrors.map(({ message }) => message);

describe.concurrent("a page is looked at with a minute of virtual time", () => {
  it("it throws after 3 s", async () => {
    expect(await messages("/late")).toEqual(["late boom"]);
  });

  it("it throws after 50 s, which takes less than a minute", async () => {
    const report = await look("/later");
    expect(report.uncaughtErrors[0]?.message).toBe("later boom");
    expect(report.ms).toBeLessThan(45_000);
  });

  it("it polls, and each request is answered before its clock advances", async () => {
    const report = await look("/polls");
    expect(report).toMatchObject({ uncaughtErrors: [], failedRequests: [] });
    expect(site.asked.filter((line) => line === "GET /data").length).toBeGreaterThan(8);
    expect((await look("/aborts")).text).toBe("came");
  });

  it("time advances despite an event stream, a worker and a service worker", async () => {
    expect(await look("/listens")).toMatchObject({
      text: "hello",
      uncaughtErrors: [{ message: "late beside events" }],
    });
    expect((await look("/worker")).text).toBe("from the worker");
    expect(await look("/app")).toMatchObject({
      text: "mocked",
      uncaughtErrors: [{ message: "late beside a service worker" }],
    });
  });

  it("time keeps pace with the server at the other end of a WebSocket", async () => {
    expect(await look("/pings")).toMatchObject({
      text: "pong",
      uncaughtErrors: [],
      failedRequests: [],
    });
  });

  it("the report is about the page that it navigated to", async () => {
    expect(await look("/moves-on")).toMatchObject({ text: "Home", uncaughtErrors: [] });
  });
});

describe.concurrent("a page that reloads itself endlessly", () => {
  it.each([
    ["at once", "/loop"],
    ["every 49 s of its own time", "/slow-loop"],
  ])("%s", async (_, path) => {
    expect((await look(path)).loop).toBe(path);
  });

  it("does so through another page", async () => {
    expect((await look("/ping")).loop).toMatch(/^\/p[io]ng$/);
  });

  it("is not one that asks to be reloaded from time to time", async () => {
    const report = await look("/board");
    expect(report.loop).toBeUndefined();
    expect(report).toMatchObject({ rendered: true, uncaughtErrors: [] });
  });
});

describe.concurrent("a page is waited for while anything changes", () => {
  it("a script that loads late", async () => {
    expect(await messages("/slow")).toEqual(["slow script is broken"]);
  });

  it("up to the limit, which proves nothing", async () => {
    const hasty = createSite(
      { "/hang": html('<div id="root"></div><script src="/never"></script>'), "/never": () => {} },
      { lookMs: 3_000 },
    ).browser;
    try {
      expect((await hasty.look({ origin: ORIGIN, path: "/hang" })).unsettled).toBe(
        "the page did not come to rest in 3 s",
      );
    } finally {
      await hasty.close();
    }
  });

  it("but not for a document without a response", async () => {
    const hasty = createSite({ "/silent": () => {} }, { lookMs: 3_000 }).browser;
    try {
      expect(await hasty.look({ origin: ORIGIN, path: "/silent" })).toMatchObject({
        status: 0,
        unsettled: undefined,
        failedRequests: [{ url: "/silent", status: 0, reason: "it did not answer within 3 s" }],
      });
    } finally {
      await hasty.close();
    }
  });

  it("a request that is held open is long polling if the page shows everything", async () => {
    const report = await look("/holds");
    expect(report.unsettled).toBeUndefined();
    expect(report).toMatchObject({ text: "Chat", failedRequests: [] });
  });
});

it.concurrent("a WebSocket to the app that fails to open is a failed request", async () => {
  expect((await look("/no-socket")).failedRequests).toEqual([
    expect.objectContaining({
      url: expect.stringMatching(/^ws:.*\/refused$/),
      status: 0,
      reason: expect.stringMatching(/^the WebSocket did not open/),
    }),
  ]);
  expect((await look("/no-hot-socket")).failedRequests).toEqual([]);
});

it(
  "a page that uses too much memory ends its look, and not the next",
  { timeout: 90_000 },
  async () => {
    expect(await messages("/greedy")).toEqual([
      "The page crashed the browser: it used too much memory",
    ]);
    expect((await look("/home")).text).toBe("Home");
  },
);

it("a look can be ended while the page's time advances", async () => {
  const controller = new AbortController();
  const ended = browser.look({ origin: ORIGIN, path: "/ends", signal: controller.signal });
  onEnd = () => controller.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});
