import type { RequestListener } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startGateway,
  startUpstream,
  testPreview,
  until,
  type TestGateway,
  type TestPreview,
} from "./gateway.test-support.ts";
import { startBrowser } from "../../browser/src/look/person-browser.test-support.ts";

let browser: Browser;
function useBrowser(env?: NodeJS.ProcessEnv): void {
  beforeAll(async () => void (browser = await startBrowser(env)), 60_000);
  afterAll(() => browser.close());
}

let answer: RequestListener;
let preview: TestPreview;
let gateway: TestGateway;
let page: Page;
let close: () => Promise<void>;

beforeEach(async () => {
  const upstream = await startUpstream((request, response) => answer(request, response));
  preview = testPreview([upstream.port], {
    project: crypto.randomUUID(),
    source: async (path) => (path === "index.html" ? served : undefined),
  });
  gateway = await startGateway(
    { abc: preview },
    {
      app(_, response) {
        response.setHeader("content-type", "text/html");
        response.end(
          `<iframe src="${gateway.gateway.originOf("abc")}" sandbox="allow-scripts allow-same-origin"></iframe>` +
            `<script>got = []; seen = []; onmessage = (e) => (e.data.seen ? seen.push(e.data.seen) : e.data.type == "treadle:location" && got.push([e.origin, e.data]))</script>`,
        );
      },
    },
  );
  page = await browser.newPage();
  close = async () => {
    await page.close();
    await gateway.close();
    await upstream.close();
  };
});
afterEach(() => close());

/** The project's own page. */
let served = "";
function serve(body: string, headers: Record<string, string> = {}): void {
  served = body;
  answer = (request, response) => {
    const path = request.url ?? "/";
    if (path.startsWith("/missing") || path === "/favicon.ico") response.statusCode = 404;
    response.writeHead(response.statusCode, { "content-type": "text/html", ...headers });
    response.end(path.startsWith("/missing") ? "" : body);
  };
}

/** Opens the preview in a tab of its own, and waits for its probe's report. */
async function report(path = "/") {
  await page.goto(gateway.gateway.originOf("abc") + path);
  return until(() => preview.reports.at(-1));
}

describe("the probe's report", () => {
  useBrowser();

  test("describes a working page", async () => {
    serve("<!doctype html><title>A title</title><h1>Hello</h1>");
    expect(await report("/a?b=c")).toMatchObject({
      source: "probe",
      path: "/a?b=c",
      status: 200,
      contentType: "text/html",
      title: "A title",
      text: "Hello",
      rendered: true,
      uncaughtErrors: [],
      consoleErrors: [],
      failedRequests: [],
    });
  });

  test("contains the status of an error page", async () => {
    answer = (_, response) => {
      response.writeHead(500, { "content-type": "text/html" }).end("broken");
    };
    expect((await report()).status).toBe(500);
  });

  test("contains uncaught errors, rejections and printed errors", async () => {
    serve(`<p>x<script>
      console.error("Warning: %s in %o", "odd", { a: 1 }, new RangeError("far"));
      Promise.reject(new TypeError("no promise"));
      null.map();
    </script>`);
    const seen = await report();
    expect(seen.uncaughtErrors.map(({ message }) => message)).toEqual([
      "TypeError: Cannot read properties of null (reading 'map')",
      "TypeError: no promise",
    ]);
    expect(seen.uncaughtErrors[0]?.source).toMatch(/^index\.html:\d+:\d+$/);
    expect(seen.uncaughtErrors[0]?.stack).toContain("TypeError");
    expect(seen.consoleErrors[0]?.message).toMatch(/^Warning: odd in \{"a":1\} RangeError: far/);
  });

  test("contains failed requests of any kind", async () => {
    serve(`<p>x<img src="/missing.png"><script>
      fetch("/missing-a", { method: "PUT" });
      fetch("http://127.0.0.1:1/").catch(() => {});
      const x = new XMLHttpRequest(); x.open("POST", "/missing-b"); x.send();
      const gone = new AbortController(); fetch("/slow", { signal: gone.signal }).catch(() => {}); gone.abort();
    </script>`);
    const { failedRequests, uncaughtErrors } = await report();
    const found = failedRequests.map(({ method, url, status }) => {
      return `${method} ${new URL(url).pathname} ${status}`;
    });
    expect(found.toSorted()).toEqual([
      "GET / 0",
      "GET /missing.png 0",
      "POST /missing-b 404",
      "PUT /missing-a 404",
    ]);
    expect(uncaughtErrors).toEqual([]);
  });

  test("is sent for a late page once it is idle", async () => {
    serve(`<div id=root></div><script>
      setTimeout(() => fetch("/data").then(() => setTimeout(() => root.textContent = "late", 200)), 100);
    </script>`);
    expect(await report()).toMatchObject({ rendered: true, text: "late" });
    expect(preview.reports).toHaveLength(1);
  });

  test("is sent again for later events", async () => {
    serve(`<button onclick="oops()">go</button>`);
    await report();
    await page.click("button");
    const later = await until(() => preview.reports.find((one) => one.uncaughtErrors.length > 0));
    expect(later.uncaughtErrors[0]?.message).toContain("oops is not defined");
  });

  test("is not sent by frames within the app", async () => {
    serve("");
    const { origin } = new URL(gateway.gateway.originOf("abc"));
    answer = (request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        request.url === "/in" ? "<script>null.a</script>" : "<p>x<iframe src=/in></iframe>",
      );
    };
    await page.goto(`${origin}/`);
    const seen = await until(() => preview.reports.at(-1));
    expect(seen).toMatchObject({ path: "/", uncaughtErrors: [] });
  });
});

describe("a page with a strict policy", () => {
  useBrowser();

  const policies: [string, string, string][] = [
    ["nothing but itself", "default-src 'none'; style-src 'self'", ""],
    ["scripts with a nonce", "script-src 'nonce-x' 'strict-dynamic'; connect-src 'none'", ""],
    [
      "in a meta element",
      "",
      `<meta http-equiv=Content-Security-Policy content="default-src 'self'; connect-src 'none'">`,
    ],
    ["trusted types", "require-trusted-types-for 'script'; default-src 'self'", ""],
  ];
  test.each(policies)("allows the probe, and nothing else: %s", async (_, header, meta) => {
    serve(
      `<head>${meta}</head><p>x<script nonce=y>document.title = "inline"</script><script>
       fetch("/data").then(() => document.title += "fetched")</script>`,
      header === "" ? {} : { "content-security-policy": header },
    );
    const seen = await report();
    expect(seen).toMatchObject({ text: "x", title: "" });
  });
});

const framed = () => page.frames()[1];
const got = () => page.evaluate("got") as Promise<[string, { type: string; path: string }][]>;
const at = (path: string) =>
  page.waitForFunction(`got.at(-1)?.[1].path === ${JSON.stringify(path)}`);
const post = (message: unknown) =>
  page.evaluate((data) => frames[0]?.postMessage(data, "*"), message);

describe("in Treadle's page", () => {
  useBrowser();

  test("it reports its address, and navigates on request", async () => {
    serve(`<title>T</title><p>x<script>go = (p) => history.pushState(0, "", p)</script>`);
    await page.goto(`http://localhost:${gateway.port}`);
    await at("/");
    await at("/");
    expect((await got())[0]).toEqual([
      gateway.gateway.originOf("abc"),
      { type: "treadle:location", path: "/", title: expect.any(String) },
    ]);
    await framed()?.evaluate("go('/two#part')");
    await at("/two#part");
    await post({ type: "treadle:back" });
    await at("/");
    await at("/");
    await framed()?.evaluate("window.mark = 1");
    await post({ type: "treadle:reload" });
    await page.frames()[1]?.waitForFunction("!window.mark");
    await post({ type: "treadle:forward" });
    await at("/two#part");
  });

  test("it passes on the result of its report: the line of the project's file that threw", async () => {
    serve(`<div id=root></div>\n<script>\nnull.map()</script>`);
    await page.goto(`http://localhost:${gateway.port}`);
    const report = await (await page.waitForFunction("seen.at(-1)")).jsonValue();
    expect(report).toMatchObject({
      rendered: false,
      uncaughtErrors: [{ message: expect.stringContaining("null"), source: "index.html:3:6" }],
    });
  });

  test("A15 it only obeys that page, and only navigates within the preview", async () => {
    serve("<p>x");
    await page.goto(`http://localhost:${gateway.port}`);
    await at("/");
    await at("/");
    await framed()?.evaluate("window.mark = 1");
    // No message may lead to an outside address, and the page itself is not the embedder.
    await post({ type: "treadle:navigate", path: "http://localhost:1/" });
    await framed()?.evaluate(`postMessage({ type: "treadle:reload" }, "*")`);
    await framed()?.evaluate("history.pushState(0, '', '/last')");
    await at("/last");
    expect((await got()).map(([, { path }]) => path)).toEqual(["/", "/last"]);
    expect(await framed()?.evaluate("window.mark")).toBe(1);
  });

  test("A15 it sends nothing to a page of another origin", async () => {
    serve("<p>x");
    const stranger = await startUpstream((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        `<iframe src="${gateway.gateway.originOf("abc")}"></iframe><script>got = []; onmessage = (e) => got.push(e.data)</script>`,
      );
    });
    await page.goto(`http://127.0.0.1:${stranger.port}`);
    await page.frames()[1]?.waitForSelector("p");
    expect(await page.evaluate("got")).toEqual([]);
    expect(preview.reports).toEqual([]);
    await stranger.close();
  });
});

describe("in Treadle's page", () => {
  // A complete browser, which takes twice the processor time: a headless shell also renders frames that are not visible.
  useBrowser({ PATH: process.env["PATH"] });

  test("it does not call an invisible frame blank, but reports when it becomes visible", async () => {
    serve(
      `<p>x<script>addEventListener("load", () => setTimeout(() => (rested = true), 700))</script>`,
    );
    await page.goto(`http://localhost:${gateway.port}`);
    await until(() => preview.reports.at(-1));
    await page.evaluate(`document.querySelector("iframe").style.display = "none"`);
    preview.reports.length = 0;
    await framed()?.evaluate("window.mark = 1");
    await post({ type: "treadle:reload" });
    // Invisible frames are not drawn, so waiting has to poll.
    const polling = 50;
    await framed()?.waitForFunction("!window.mark && window.rested", undefined, { polling });
    expect(preview.reports).toEqual([]);
    await page.evaluate(`document.querySelector("iframe").style.display = ""`);
    expect(await until(() => preview.reports[0])).toMatchObject({ rendered: true, text: "x" });
  });

  test("it reports once that something is drawn, only in the visible frame and in no tab of its own", async () => {
    const drawn: string[] = [];
    preview.target.onDrawn = () => void drawn.push("drawn");
    serve("<p>x<script>setTimeout(() => document.body.append('later'), 50)</script>");
    await report();
    expect(drawn).toEqual([]);
    preview.reports.length = 0;
    await page.goto(`http://localhost:${gateway.port}`);
    await until(() => preview.reports.at(-1));
    await until(() => drawn.length > 0);
    expect(drawn).toEqual(["drawn"]);
  });

  test("it reports that its frame is invisible, so that nobody waits", async () => {
    serve("");
    await page.goto(`http://localhost:${gateway.port}`);
    await until(() => preview.reports.at(-1));
    const drawn: string[] = [];
    preview.target.onDrawn = () => void drawn.push("drawn");
    await page.evaluate(`document.querySelector("iframe").style.display = "none"`);
    await post({ type: "treadle:reload" });
    await until(() => drawn.length > 0);
  });
});
