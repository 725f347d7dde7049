import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBrowser } from "../../../browser/src/look/person-browser.test-support.ts";
import { measure as measureIn, type Sight } from "./measure.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
}, 60_000);
afterAll(() => browser.close());

async function measure(body: string): Promise<Sight> {
  await page.setContent(`<!doctype html>${body}`);
  return page.evaluate(measureIn);
}

describe("whether a page shows anything", () => {
  test.each([
    ["nothing", "<div id=root></div>", false],
    [
      "spaces and what is hidden",
      "<p>&nbsp;</p><p hidden>a</p><style>b{}</style><script>1</script>",
      false,
    ],
    ["a hidden field and an empty picture", "<input type=hidden><img>", false],
    ["text", "<p>a", true],
    ["a field", "<input>", true],
    ["a drawing", "<canvas></canvas>", true],
    ["a figure", "<svg width=9 height=9></svg>", true],
    [
      "a shadow",
      "<div id=a></div><script>a.attachShadow({mode:'open'}).innerHTML='<style>p{}</style><p>in'</script>",
      true,
    ],
    [
      "an empty shadow",
      "<div id=a></div><script>a.attachShadow({mode:'open'}).innerHTML='<style>p{}</style>'</script>",
      false,
    ],
    [
      "a closed shadow",
      "<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'closed'}).innerHTML='<p>in'</script>",
      true,
    ],
    ["a drawn ground", "<body style='background:linear-gradient(red,blue);height:9px'>", true],
    ["a plain ground", "<body style='background:red;height:9px'>", false],
    ["an overlay alone", "<vite-error-overlay></vite-error-overlay>", false],
    ["a badge of the framework", "<nextjs-portal></nextjs-portal>", false],
    [
      "a page that is kept hidden",
      "<body style='display:none'><p>a<svg width=9 height=9></svg>",
      false,
    ],
  ])("%s", async (_, body, rendered) => {
    expect((await measure(body)).rendered).toBe(rendered);
  });
});

test("the language is the page's declared one, or empty", async () => {
  expect((await measure("<html lang=de><p>a")).lang).toBe("de");
  expect((await measure("<p>a")).lang).toBe("");
});

test("texts include those of open shadow roots, and are shortened", async () => {
  const seen = await measure(
    `<title>${"t".repeat(400)}</title><p>one<div id=a></div><script>
     a.attachShadow({mode:"open"}).innerHTML = "<p>two</p><div id=b></div>";
     a.shadowRoot.getElementById("b").attachShadow({mode:"open"}).innerHTML = "<p>three</p>";
    </script>`,
  );
  expect(seen.text.split(/\s+/)).toEqual(["one", "two", "three"]);
  expect(seen.title).toHaveLength(300);
  expect((await measure("x".repeat(5000))).text).toHaveLength(2000);
});

test.each([
  [
    "Vite's",
    `<vite-error-overlay id=o></vite-error-overlay><script>o.attachShadow({mode:"open"}).innerHTML =
     "<style>.x{}</style><pre class=message>Unexpected token</pre><pre class=file>/src/App.tsx:1:2</pre><div class=tip>Click outside</div>"</script>`,
    "Unexpected token\n/src/App.tsx:1:2",
  ],
  [
    "Next's",
    `<nextjs-portal id=o></nextjs-portal><script>o.attachShadow({mode:"open"}).innerHTML =
     "<div data-nextjs-dialog>Build Error</div>"</script>`,
    "Build Error",
  ],
  [
    "webpack's",
    `<iframe id=webpack-dev-server-client-overlay srcdoc="Compiled with problems"></iframe>`,
    "Compiled with problems",
  ],
  [
    "Next's badge, which is no error",
    `<nextjs-portal id=o></nextjs-portal><script>o.attachShadow({mode:"open"}).innerHTML = "<b>N</b>"</script>`,
    undefined,
  ],
])("reads a framework's error overlay: %s", async (_, body, expected) => {
  expect((await measure(`<p>a${body}`)).overlay).toBe(expected);
});
