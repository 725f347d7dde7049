import { readPublicAddress } from "@treadle/common";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  ask,
  startGateway,
  startUpstream,
  testPreview,
  type TestGateway,
} from "./gateway.test-support.ts";

const people = readPublicAddress({
  TREADLE_URL: "https://builder.example.org",
  TREADLE_PREVIEW_URL: "https://*.apps.example.net",
});
const host = "abc.apps.example.net";
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    const { host: named = "", origin = "", cookie = "" } = request.headers;
    if (request.url === "/away") {
      response.writeHead(302, { location: `http://${named}/there` }).end();
    } else if (request.url === "/next") {
      response.writeHead(302, { location: "http://localhost:8787/there" }).end();
    } else {
      response.setHeader("content-type", "text/html");
      response.setHeader("content-security-policy", "script-src 'self'; frame-ancestors 'none'");
      response.setHeader("access-control-allow-origin", origin);
      response.end(`<!doctype html><p>${named} ${origin} ${cookie}`);
    }
  });
  gateway = await startGateway({ abc: testPreview([upstream.port]) }, { people });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const send = (path: string, headers: Record<string, string> = {}) =>
  ask({ port: gateway.port, host, path, headers: { accept: "text/html", ...headers } });

it("tells the app its name on this machine, as development servers know no other", async () => {
  const origin = `https://${host}`;
  const { text, headers } = await send("/", { origin, cookie: "__Host-treadle-preview=x; app=1" });
  expect(text).toContain(`localhost:${upstream.port} http://localhost:${upstream.port} app=1`);
  expect(headers["access-control-allow-origin"]).toBe(origin);
});

it("admits the probe at the public host, and the workbench's public page as embedder", async () => {
  const { headers } = await send("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain(`https://${host}/__treadle/`);
  expect(policy).toMatch(/frame-ancestors https:\/\/builder\.example\.org/);
});

it("keeps redirects at public hosts", async () => {
  expect((await send("/away")).headers.location).toBe("/there");
  expect((await send("/next")).headers.location).toBe("https://abc--8787.apps.example.net/there");
});

it("knows no preview on another domain", async () => {
  const other = { port: gateway.port, host: "abc.evil.example", path: "/" };
  expect((await ask(other)).status).toBe(403);
});
