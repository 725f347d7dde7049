import { afterAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body>${body}</body></html>`;

const pages = {
  "/good": page("<main><h1>Tides</h1><a href='/good'>here</a></main>"),
  "/drawn": page(
    "<main id=root></main>",
    `<script>addEventListener("load", () => {
      root.innerHTML = '<h1>Shop</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><input><p style="color:#aaa;background:#fff">pale</p><p><a href="/cart?x=1#top">Cart</a></p><p><a href="https://elsewhere.example/">away</a></p><p><a download href="/file.zip">file</a></p>';
    })</script>`,
  ),
  "/liar": page(
    "<main><h1>Hello</h1></main>",
    "<script>Object.defineProperty(window, 'axe', { value: { run: () => ({ violations: [{ id: 1 }] }) } })</script>",
  ),
};
const { browser } = createSite(pages);
const { ok, message } = await browser.available();
afterAll(() => browser.close());

describe.skipIf(!ok)(`inspecting a page (${message.slice(0, 40)})`, () => {
  it("finds nothing wrong with a good page, and no access to itself", async () => {
    const { report, problems, links } = await browser.inspect({ origin: ORIGIN, path: "/good" });
    expect(report.rendered).toBe(true);
    expect(problems).toEqual([]);
    expect(links).toEqual([]);
  });

  it("sees what a script has rendered", async () => {
    const { problems, links } = await browser.inspect({ origin: ORIGIN, path: "/drawn" });
    expect(problems?.map(({ id }) => id).sort()).toEqual(["color-contrast", "image-alt", "label"]);
    expect(problems?.find(({ id }) => id === "image-alt")).toMatchObject({
      help: expect.stringMatching(/alternat/i),
      places: ["img"],
      count: 1,
    });
    expect(links).toEqual(["/cart?x=1"]);
  });

  it("does not trust the content of a page", async () => {
    const { report, problems, links } = await browser.inspect({ origin: ORIGIN, path: "/liar" });
    expect(report.rendered).toBe(true);
    expect(problems).toBeUndefined();
    expect(links).toEqual([]);
  });
});
