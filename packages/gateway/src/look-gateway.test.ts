import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeConsole } from "@treadle/agent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGateway } from "./gateway.ts";
import { connectLoopback, testPreview } from "./gateway.test-support.ts";
import { createBrowser } from "@treadle/browser";

const PAGES: Record<string, string> = {
  "/slow-loop": "<h1>Loop</h1><script>setTimeout(() => location.reload(), 49000)</script>",
  "/sign-in": `<h1>Sign in</h1><script>fetch("/asked", { headers: { "x-forwarded-for": "192.0.2.1" } })</script>`,
  "/policy": "<h1>Counter</h1><script>document.body.append(1)</script>",
};
/** The gateway's insertions are active as well: the probe, and its reports. */
const cameFrom: unknown[] = [];
const app = createServer((request, response) => {
  if (request.url === "/sign-in" || request.url === "/asked")
    cameFrom.push(request.headers["x-forwarded-for"]);
  response.setHeader("content-type", "text/html");
  if (request.url === "/policy")
    response.setHeader("content-security-policy", "script-src 'self'; connect-src 'self'");
  response.end(`<!doctype html><html lang="en"><title>T</title>${PAGES[request.url ?? ""] ?? ""}`);
});
let port = 0;
const gateway = createGateway({
  resolve: (capability) =>
    capability === "abc"
      ? testPreview([port], { connect: () => connectLoopback(port) }).target
      : undefined,
  appOrigin: () => "http://localhost:4173",
});
const browser = createBrowser({
  cacheDirectory: join(tmpdir(), "treadle-browser-cache"),
  env: process.env,
  gateway,
});
const look = (path: string) => browser.look({ origin: gateway.originOf("abc"), path });

beforeAll(async () => {
  await new Promise<void>((done) => app.listen(0, "127.0.0.1", done));
  port = (app.address() as AddressInfo).port;
});
afterAll(async () => {
  await browser.close();
  app.close();
});

it("a page that reloads itself endlessly has the probe each time", async () => {
  const report = await look("/slow-loop");
  expect([report.loop, report.unsettled]).toEqual(["/slow-loop", undefined]);
});

it("reports a script that the page's own policy blocks, although the policy admits the probe", async () => {
  const { problem } = judgeConsole(await look("/policy"));
  expect(problem).toMatch(/^not run: .*Content Security Policy/);
});

it("each look has a separate address, so that it does not use up an app's limits per address", async () => {
  await look("/sign-in");
  await look("/sign-in");
  const [first, second] = [cameFrom.slice(0, 2), cameFrom.slice(2)];
  expect(new Set(first).size).toBe(1);
  expect(second).toEqual([second[0], second[0]]);
  expect(second[0]).not.toBe(first[0]);
  expect(String(first[0])).toMatch(/^198\.1[89]\.\d+\.\d+$/);
});
