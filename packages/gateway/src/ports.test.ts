/** Several ports of one project, and how its page and its servers see each other. */
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startBrowser } from "../../browser/src/look/person-browser.test-support.ts";
import { CERTIFICATE, KEY } from "../../egress/src/certificate.test-support.ts";
import { ask, startGateway, startUpstream, testPreview } from "./gateway.test-support.ts";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()), 60_000);
afterAll(() => browser.close());
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(page: (api: number) => string) {
  const seen: (string | undefined)[][] = [];
  const api = await startUpstream((request, response) => {
    seen.push([request.url, request.headers.host, request.headers.origin]);
    // As common middleware does if one origin is allowed by name.
    const allowed = `http://localhost:${web.port}`;
    response.setHeader("access-control-allow-origin", allowed);
    response.setHeader("access-control-allow-headers", "x-own");
    if (request.url === "/events") response.setHeader("content-type", "text/event-stream");
    response.end(request.url === "/events" ? "data: event\n\n" : "Tea");
  });
  const web = await startUpstream((request, response) => {
    if (request.url === "/away")
      response.writeHead(302, { location: `http://localhost:${web.port}/` }).end();
    else
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><link rel=icon href=data:,><p id=p></p><script>const say = (t) => (p.textContent += t + ";")</script>${page(api.port)}`,
        );
  });
  api.server.on("upgrade", (request, socket) => {
    seen.push(["socket", request.headers.host, request.headers.origin]);
    socket.end("HTTP/1.1 400 No\r\n\r\n");
  });
  const preview = testPreview([web.port, api.port]);
  const gateway = await startGateway({ abc: preview });
  closers.push(web.close, api.close, gateway.close);
  return { api, web, gateway, preview, seen, origin: gateway.gateway.originOf("abc") };
}

it("A64 requests from the page to localhost reach that port of its own project, by any API", async () => {
  const { origin, seen, api, web } = await start(
    (port) => `<script type=module>
      const at = "http://localhost:${port}";
      say(await (await fetch(at + "/fetch")).text());
      say(await (await fetch(new Request(at + "/request", { headers: { "x-own": "1" } }))).text());
      await new Promise((done) => { const x = new XMLHttpRequest(); x.open("GET", at + "/xhr"); x.onload = () => done(say(x.responseText)); x.send(); });
      await new Promise((done) => { const e = new EventSource(at + "/events"); e.onmessage = (m) => (e.close(), done(say(m.data))); });
      await new Promise((done) => { new WebSocket("ws://" + location.hostname + ":${port}/socket").onerror = done; });
      say("own " + (await fetch("http://127.0.0.1:" + document.title)).status);
    </script>`,
  );
  const page = await browser.newPage();
  closers.push(() => page.close());
  await page.addInitScript(`document.title = "${web.port}"`);
  await page.goto(origin);
  const text = () => page.innerText("p");
  await expect.poll(text, { timeout: 10_000 }).toContain("event;");
  expect(await text()).toContain("Tea;Tea;Tea;event;");
  await expect.poll(() => seen.map(([path]) => path)).toContain("socket");
  for (const [path, host, from] of seen) {
    expect([path, host]).toEqual([path, `localhost:${api.port}`]);
    expect(from).toBe(`http://localhost:${web.port}`);
  }
});

it("a server that only answers to localhost gets requests for it from its own pages, and from no others", async () => {
  const seen: (string | undefined)[] = [];
  let refusals = 0;
  const own = await startUpstream((request, response) => {
    if (request.headers.host !== `localhost:${own.port}`) {
      refusals++;
      return void response.writeHead(403).end("The host is not allowed");
    }
    // Browsers also request an icon at any time.
    if (request.url !== "/favicon.ico") seen.push(request.headers.origin);
    response
      .writeHead(request.url === "/closed" ? 403 : 200, { "content-type": "text/html" })
      .end("<!doctype html><title>Own</title>");
  });
  const gateway = await startGateway({ abc: testPreview([own.port]) });
  closers.push(own.close, gateway.close);
  const page = await browser.newPage();
  closers.push(() => page.close());
  const origin = gateway.gateway.originOf("abc");
  expect((await page.goto(origin))?.status()).toBe(200);
  expect(refusals).toBe(1);
  const post = `fetch("/save", { method: "POST" }).then((answer) => answer.status)`;
  expect(await page.evaluate(post)).toBe(200);
  expect(seen.at(-1)).toBe(`http://localhost:${own.port}`);
  const headers = { origin: "http://evil.example" };
  const host = `abc.localhost:${gateway.port}`;
  await ask({ port: gateway.port, host, path: "/", headers });
  expect(seen.at(-1)).toBe("http://evil.example");
  // A request refused under any name is refused.
  expect((await page.goto(`${origin}/closed`))?.status()).toBe(403);
  expect(refusals).toBe(1);
});

it("keeps a redirect to localhost in the preview", async () => {
  const { gateway } = await start(() => "");
  const answer = await ask({
    port: gateway.port,
    host: `abc.localhost:${gateway.port}`,
    path: "/away",
  });
  expect(answer.headers.location).toBe("/");
});

it("shows a server that uses HTTPS with a self-signed certificate", async () => {
  const secure = createSecureServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`secure ${request.url}`);
  });
  await new Promise<void>((done) => secure.listen(0, "127.0.0.1", done));
  const gateway = await startGateway({
    abc: testPreview([(secure.address() as AddressInfo).port]),
  });
  closers.push(gateway.close, () => secure.close());
  const page = await browser.newPage();
  closers.push(() => page.close());
  await page.goto(`${gateway.gateway.originOf("abc")}/x`);
  expect(await page.innerText("body")).toBe("secure /x");
});

it("A64 denies pages access to the person's network", async () => {
  const { gateway } = await start(() => "");
  const answer = await ask({ port: gateway.port, host: `abc.localhost:${gateway.port}` });
  expect(answer.headers["permissions-policy"]).toBe(
    "local-network-access=(), local-network=(), loopback-network=()",
  );
  expect(answer.headers["content-security-policy"]).toBeUndefined();
});

it("A64 limits a preview to its project's hosts and ports if the person chose that", async () => {
  const api = await startUpstream((_request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.end("Tea");
  });
  const web = await startUpstream((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(
      `<!doctype html><link rel=icon href=data:,><p id=p></p><script type=module>
        const said = [];
        addEventListener("securitypolicyviolation", (e) => said.push(e.blockedURI));
        said.push(await (await fetch("http://localhost:${api.port}/")).text());
        await fetch("https://evil.example.com/x").catch(() => {});
        setTimeout(() => (p.textContent = said.join(" ")))</script>`,
    );
  });
  const limit = async () => ({ hosts: ["api.example.com"], staticHosts: [] });
  const gateway = await startGateway({ abc: testPreview([web.port, api.port], { limit }) });
  closers.push(web.close, api.close, gateway.close);
  const page = await browser.newPage();
  closers.push(() => page.close());
  await page.goto(gateway.gateway.originOf("abc"));
  await expect.poll(() => page.innerText("p")).toBe("Tea https://evil.example.com/x");
});
