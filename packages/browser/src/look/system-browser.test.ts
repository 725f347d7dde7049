import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

/**
 * Behaviour of a complete browser only, with tabs and windows: uses the machine's own, whatever the
 * other tests use. The npm package contains a shell, which requests no icon, and names itself in
 * `navigator.userAgentData`.
 */
const { browser, asked } = createSite(
  {
    "/icon":
      '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="/gone.svg"></head><body><main><h1>Tides</h1></main></body></html>',
    "/who": (request: IncomingMessage, response: ServerResponse) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        `<!doctype html><html><head><title>T</title><link rel="icon" href="data:,"></head><body><p id="p"></p><script>requestAnimationFrame(() => requestAnimationFrame(() => { p.textContent = navigator.userAgent + navigator.webdriver + JSON.stringify([navigator.userAgentData?.brands, navigator.languages.length > 0, outerWidth >= innerWidth && outerHeight >= innerHeight, screen.width >= innerWidth, document.hasFocus(), document.visibilityState, ${JSON.stringify(JSON.stringify(request.headers))}]) }))</script>`,
      );
    },
  },
  { env: { PATH: process.env["PATH"] } },
);
afterAll(() => browser.close());

it("ignores the browser's own requests for its tab", async () => {
  const { report } = await browser.inspect({ origin: ORIGIN, path: "/icon" });
  expect(asked).toContain("GET /gone.svg");
  expect(report.failedRequests).toEqual([]);
});

it("A104 neither the page nor its server can tell that it is automated", async () => {
  const { text } = await browser.look({ origin: ORIGIN, path: "/who" });
  expect(text).toMatch(/ Chrome\/\d+\.0\.0\.0 Safari/);
  expect(text).toContain('"Chromium"');
  // The driver's flag is absent; languages, window and screen are there once it is drawn, and it
  // has focus.
  expect(text).toMatch(/Safari\/[\d.]+false\[.*,true,true,true,true,"visible",/);
  expect(text).not.toMatch(/headless|playwright|webdriver|purpose/i);
});
