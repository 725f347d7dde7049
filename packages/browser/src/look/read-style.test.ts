import { afterAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const { browser } = createSite({
  "/shop": `<!doctype html><style>
      body { background: #fafafa; color: #222; font: 18px Georgia, serif }
      button { background: #063; color: #fff; border: 0; border-radius: 6px; padding: 12px }
      @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
    </style><h1>Shop</h1><button>Buy this now</button>`,
  "/liar": `<h1>x</h1><script>getComputedStyle = () => { throw 1; }</script>`,
});
const { ok, message } = await browser.available();
afterAll(() => browser.close());

describe.skipIf(!ok)(`the style of a page (${message.slice(0, 40)})`, () => {
  const style = (path: string, dark = false) =>
    browser.style({ origin: ORIGIN, address: `${ORIGIN}${path}`, dark });

  it("is read as computed values, in both colour schemes", async () => {
    expect(await style("/shop")).toMatchObject({
      background: "rgb(250, 250, 250)",
      text: "rgb(34, 34, 34)",
      font: "Georgia, serif",
      size: 18,
      heading: { size: 36 },
      button: { background: "rgb(0, 102, 51)", text: "rgb(255, 255, 255)", radius: 6 },
    });
    expect((await style("/shop", true))?.background).toBe("rgb(17, 17, 17)");
  });

  it("is not read if a page is missing, manipulates its answers, or is on a forbidden host", async () => {
    expect(await style("/gone")).toBeUndefined();
    expect(await style("/liar")).toBeUndefined();
    const elsewhere = { origin: ORIGIN, address: "https://elsewhere.example/", dark: false };
    expect(await browser.style(elsewhere)).toBeUndefined();
  });
});
