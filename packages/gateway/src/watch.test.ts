import type { RequestListener } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  startGateway,
  startUpstream,
  testPreview,
  type TestGateway,
} from "./gateway.test-support.ts";
import { startBrowser } from "../../browser/src/look/person-browser.test-support.ts";
import { watchScript } from "@treadle/probe";
import { packScript } from "./answer-script.ts";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()), 60_000);
afterAll(() => browser.close());

let answer: RequestListener;
let gateway: TestGateway;
let page: Page;
let close: () => Promise<void>;

beforeEach(async () => {
  const upstream = await startUpstream((request, response) => answer(request, response));
  const preview = testPreview([upstream.port], { project: crypto.randomUUID() });
  gateway = await startGateway(
    { abc: preview },
    {
      app(_, response) {
        response.setHeader("content-type", "text/html");
        response.end(
          `<iframe width=600 height=400 src="${gateway.gateway.originOf("abc")}" sandbox="allow-scripts allow-same-origin"></iframe>` +
            `<script>got = []; onmessage = (e) => got.push(e.data); tell = (x) => frames[0].postMessage(x, "*")</script>`,
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

function serve(body: string, headers: Record<string, string> = {}): void {
  answer = (request, response) => {
    const path = request.url ?? "/";
    if (path.startsWith("/missing")) response.statusCode = 404;
    response.writeHead(response.statusCode, {
      "content-type": path.endsWith(".js") ? "text/javascript" : "text/html",
      ...headers,
    });
    response.end(path.startsWith("/missing") ? "" : path === "/a.js" ? 'console.log("a")' : body);
  };
}
interface Told {
  type: string;
  entries?: { level: string; text: string; stack: string }[];
  requests?: { url: string; status: number; method: string }[];
  element?: Record<string, unknown>;
  dropped?: number;
  at?: string;
}
const got = () => page.evaluate<Told[]>("got");
const openApp = () => page.goto(`http://localhost:${gateway.port}/`);
const printed = async () => (await got()).flatMap(({ entries = [] }) => entries);
const picked = async () =>
  (await got()).findLast(({ type }) => type === "treadle:picked")?.element ?? {};
const post = (message: object) => page.evaluate(`tell(${JSON.stringify(message)})`);
const app = () => page.frameLocator("iframe");

it("reports that its browser denies storage only for a page that requests it", async () => {
  await page.addInitScript(() => {
    if (window.top !== window)
      Object.defineProperty(window, "localStorage", {
        configurable: true,
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
  });
  serve(`<h1>A list</h1><script>fetch("/rows")</script>`);
  await openApp();
  await expect.poll(got).toContainEqual(expect.objectContaining({ type: "treadle:requests" }));
  expect(await got()).not.toContainEqual({ type: "treadle:denied" });
  serve("<h1>A list</h1><script>localStorage.getItem('rows')</script>");
  await openApp();
  await expect.poll(got).toContainEqual({ type: "treadle:denied" });
});

it("Markdown is shown as its text in a frame, without running anything, and told to the workbench", async () => {
  const text = "# Ein Titel für <b>alle</b> &amp; mich\n\n<script>document.title = 'ran'</script>";
  serve(text, { "content-type": "text/markdown" });
  await openApp();
  await expect.poll(got).toContainEqual({ type: "treadle:markdown", text });
  expect(await app().locator("pre").textContent()).toBe(text);
  expect(await app().locator("script:not([src]), b").count()).toBe(0);
  const own = await page.goto(gateway.gateway.originOf("abc"));
  expect(own?.headers()["content-type"]).toBe("text/markdown");
});

it("is at most 10 KB compressed", () => {
  const { gzip } = packScript(watchScript(["http://localhost:4173"]));
  expect(gzip.length).toBeLessThanOrEqual(10 * 1024);
});

describe("a page's output", () => {
  it("is reported with its level, as consoles format it, and with its location", async () => {
    serve(
      `<p>x<script>console.log("a %s of %d", "b", 3, { c: [1, { d: "e" }] }); console.warn("careful"); console.debug(new Map([[1, 2]]));</script>`,
    );
    await openApp();
    await expect
      .poll(async () => (await printed()).map(({ level, text }) => [level, text]))
      .toEqual([
        ["log", 'a b of 3 {c: [1, {d: "e"}]}'],
        ["warn", "careful"],
        ["debug", "Map(1) [[1, 2]]"],
      ]);
    expect((await printed())[0]?.stack).toContain(gateway.gateway.originOf("abc"));
  });

  it("includes uncaught errors, and counts the output of a loop beyond 200", async () => {
    serve(
      `<p>x<script>for (let i = 0; i < 1000; i++) console.log(i); setTimeout(() => { throw new TypeError("broken") }, 300); Promise.reject(new Error("late"))</script>`,
    );
    await openApp();
    await expect
      .poll(async () => (await printed()).map(({ text }) => text))
      .toContain("Uncaught TypeError: broken");
    const reports = await got();
    expect(reports.reduce((sum, { dropped = 0 }) => sum + dropped, 0)).toBeGreaterThanOrEqual(800);
  });
});

it("requests are reported with their status, whatever made them", async () => {
  serve(`<p>x<script src="/a.js"></script><script>fetch("/missing", { method: "POST" })</script>`);
  await openApp();
  const requests = async () =>
    (await got()).flatMap(({ requests: some = [] }) =>
      some.map(({ method, url, status }) => `${method} ${url} ${status}`),
    );
  await expect
    .poll(requests)
    .toEqual(expect.arrayContaining(["GET /a.js 200", "POST /missing 404"]));
  expect((await requests()).join()).not.toContain("__treadle");
});

it("is not observed in a page in its own tab", async () => {
  serve("<p>x");
  await page.goto(gateway.gateway.originOf("abc"));
  expect(await page.content()).not.toContain("watch.js");
});

it("it works with a strict policy of the page", async () => {
  serve(`<p>x<script nonce="n">console.log("strict")</script>`, {
    "content-security-policy": "script-src 'nonce-n' 'strict-dynamic'; connect-src 'none'",
  });
  await openApp();
  await expect.poll(async () => (await printed()).map(({ text }) => text)).toEqual(["strict"]);
});

describe("pointing at an element", () => {
  const body = `<style>.card { color: rgb(1, 2, 3); padding: 4px } p { color: red }</style>
    <main><p class="card big" onclick="document.title = 'clicked'">Words of <b>mine</b></p><p>More</p></main>`;

  it("a click selects it without effect in the page, and reports what it is and which rule colours it", async () => {
    serve(body);
    await openApp();
    await app().getByText("Words of").waitFor();
    await post({ type: "treadle:pick", on: true });
    await app()
      .getByText("Words of")
      .click({ position: { x: 8, y: 8 } });
    await expect.poll(picked).toMatchObject({
      tag: "p",
      label: "p.card.big",
      text: "Words of",
      texts: 1,
      bare: false,
      from: { kind: "html", at: "/" },
      path: [
        ["html", 0],
        ["body", 0],
        ["main", 0],
        ["p", 0],
      ],
      styles: {
        color: { value: "rgb(1, 2, 3)", by: { inline: 0, selector: ".card", reach: 1 } },
        gap: { value: "normal" },
      },
    });
    expect(
      await app()
        .locator("body")
        .evaluate(() => document.title),
    ).toBe("");
  });

  it("with the keyboard, arrows move and Enter selects", async () => {
    serve(body);
    await openApp();
    await app().getByText("Words of").waitFor();
    await post({ type: "treadle:pick", on: true });
    await page.locator("iframe").focus();
    await expect
      .poll(async () => (await got()).map(({ type }) => type))
      .toContain("treadle:picking");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "Enter"])
      await page.keyboard.press(key);
    await expect.poll(async () => (await picked())["text"]).toBe("More");
  });

  it("a preview of a change is shown at once and reverted", async () => {
    serve(body);
    await openApp();
    await app().getByText("Words of").waitFor();
    await post({
      type: "treadle:again",
      path: [
        ["html", 0],
        ["body", 0],
        ["main", 0],
        ["p", 0],
      ],
    });
    await post({ type: "treadle:try", text: "Others, " });
    await app().getByText("Others, mine").waitFor();
    await post({ type: "treadle:try", property: "color", value: "rgb(9, 9, 9)", rule: true });
    const colour = () =>
      app()
        .locator(".card")
        .evaluate((e) => getComputedStyle(e).color);
    await expect.poll(colour).toBe("rgb(9, 9, 9)");
    await post({ type: "treadle:try", back: true });
    await expect.poll(colour).toBe("rgb(1, 2, 3)");
    await app().getByText("Words of mine").waitFor();
    await post({ type: "treadle:drop" });
    await expect.poll(() => app().locator("treadle-mark").count()).toBe(0);
  });
});
