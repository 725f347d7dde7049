import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Script, Step } from "@treadle/scripted-model";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { root } from "./support/treadle.ts";

/**
 * How many milliseconds longer than on a normal page a click may take while such a text is shown,
 * allowing for a busy machine: parsing on the page's own thread takes 7,500 for the shorter text
 * alone.
 */
const LONGER_MS = 4_000;
const SHOW_ALL = /show all of it$/;

const FILLERS = "\u2800\u3164\uffa0";
const MARKS = "e" + "\u0301".repeat(12);
/**
 * A command whose end is folded away, with unusual space characters and a pile of combining marks
 * in the visible part.
 */
const COMMAND = `echo ${FILLERS} ${MARKS}\n${Array.from({ length: 60 }, (_, index) => `echo line ${index}`).join("\n")}\necho the-end`;

const answer = (asked: string, parts: Step["parts"]): Step => ({
  name: asked,
  when: [{ type: "text", subject: "news", pattern: asked, not: false }],
  parts,
});
const script: Script = {
  name: "scripted",
  steps: [
    answer("emphasis of 30,000", [{ type: "say", text: "**_* ".repeat(6_000) }]),
    answer("emphasis of 59,000", [{ type: "say", text: "**_* ".repeat(11_800) }]),
    answer("a long command", [
      { type: "say", text: "I run it." },
      { type: "call", tool: "run_command", input: { command: COMMAND } },
    ]),
  ],
  otherwise: [{ type: "say", text: "Well." }],
};

let { treadle, browser, page, person } = {} as Stage;
setStage({ script }, (stage) => {
  ({ treadle, browser, page, person } = stage);
});

/** Milliseconds of the slowest click on a page without such a text: mostly the machine's load. */
const usual = { shown: 0, reloaded: 0 };

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** How long the tab takes to react to a click, in milliseconds: the slowest of several. */
async function slowestClick(): Promise<number> {
  let worst = 0;
  for (const name of ["Code", "Preview", "Code", "Preview", "Code", "Preview"]) {
    const began = performance.now();
    const tab = page.getByRole("tab", { name });
    await tab.click();
    await tab.and(page.locator('[aria-selected="true"]')).waitFor();
    worst = Math.max(worst, performance.now() - began);
  }
  return worst;
}

beforeAll(async () => {
  await person.open();
  await person.ask("Hello");
  await page.getByText("Well.").first().waitFor();
  // The tab's code is loaded when it is first opened.
  await slowestClick();
  usual.shown = await slowestClick();
  await page.reload();
  await page.getByText("Well.").first().waitFor();
  usual.reloaded = await slowestClick();
});

describe("A167 a model's text that takes long to parse", () => {
  it.each(["emphasis of 30,000", "emphasis of 59,000"])(
    "leaves the tab usable while it streams, while it is shown and on a reload: %s",
    async (sentence) => {
      await person.sendMessage(sentence);
      await page.getByText("**_* **_* **_*").first().waitFor();
      expect(await slowestClick()).toBeLessThan(usual.shown + LONGER_MS);
      await page.reload();
      await page.getByText("**_* **_* **_*").first().waitFor();
      expect(await slowestClick()).toBeLessThan(usual.reloaded + LONGER_MS);
    },
  );
});

describe("A169 an approval", () => {
  it("is possible only after everything was shown, and unusual spaces are shown by their code points", async () => {
    const project = person.projectId();
    await treadle.api(`/api/projects/${project}/approvals`, {
      method: "PUT",
      body: JSON.stringify({ mode: "safe", always: [] }),
    });
    await person.sendMessage("a long command");
    const question = page.getByRole("region", { name: "A question for you" });
    const approve = question.getByRole("button", { name: "Approve", exact: true });
    await approve.waitFor();
    for (const number of ["2800", "3164", "FFA0", "301"])
      expect((await question.innerText()).toUpperCase()).toContain(number);
    expect(await question.innerText()).not.toContain("the-end");
    expect(await approve.isDisabled()).toBe(true);
    await question.getByRole("button", { name: SHOW_ALL }).click();
    expect(await question.innerText()).toContain("the-end");
    expect(await approve.isEnabled()).toBe(true);
    // Text that was shown once counts as seen.
    await question.getByRole("button", { name: "Show less" }).click();
    expect(await approve.isEnabled()).toBe(true);
  });
});

describe("A170 a page at a port of 127.0.0.1 that fills the cookie jar", () => {
  it("signs nobody out: the workbench moves to localhost, with the token and the requested place", async () => {
    const context = await browser.newContext();
    closers.push(() => context.close());
    const tab = await context.newPage();
    const named = new URL(treadle.address);
    const byAddress = new URL(treadle.address);
    byAddress.hostname = "127.0.0.1";
    await tab.goto(byAddress.href);
    await tab.getByRole("textbox", { name: "What shall we build?" }).waitFor();
    expect(new URL(tab.url()).host).toBe(`localhost:${named.port}`);
    const app = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          "<script>for (let i = 0; i < 400; i++) document.cookie = `c${i}=x; path=/; max-age=9999`</script>here",
        ),
    );
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    closers.push(() => app.close().closeAllConnections());
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${(app.address() as AddressInfo).port}/`);
    await expect
      .poll(async () => (await context.cookies("http://127.0.0.1/")).length)
      .toBeGreaterThan(100);
    await tab.goto(`http://127.0.0.1:${named.port}/`);
    await tab.getByRole("textbox", { name: "What shall we build?" }).waitFor();
    expect(new URL(tab.url()).hostname).toBe("localhost");
  });
});

describe("A168 text of a language server", () => {
  it("keeps only text, known elements, links to the web and the classes that colour code", async () => {
    const built = await build({
      configFile: false,
      logLevel: "error",
      build: {
        write: false,
        minify: false,
        lib: {
          entry: join(root, "apps/web/src/language/safe-html.ts"),
          formats: ["iife"],
          name: "Safe",
        },
      },
    });
    const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
    const tab = await browser.newPage();
    closers.push(() => tab.close());
    const asked: string[] = [];
    await tab.route("**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ body: "<p>here</p>", contentType: "text/html" });
    });
    await tab.goto("http://tooltip.example/");
    await tab.addScriptTag({ content: output[0].code });
    asked.length = 0;
    const safe = (html: string) =>
      tab.evaluate((text) => (globalThis as unknown as { Safe: { safeHtml(html: string): string } }).Safe.safeHtml(text), html); // prettier-ignore
    expect(await safe('<div class="fixed inset-0 z-50"><p class="fixed" style="position:fixed" id="a">Sign in</p></div>')).toBe("<p>Sign in</p>"); // prettier-ignore
    expect(await safe('<span class="fixed inset-0 z-50">a</span>')).toBe("<span>a</span>");
    expect(await safe('a<img src="http://x.example/i" onerror="alert(1)"><script>alert(2)</script><svg onload="alert(3)"><text>b</text></svg>')).toBe("a"); // prettier-ignore
    expect(await safe('<a href="javascript:alert(1)">a</a><a href="https://a.example/" target="_self" onclick="b()">b</a>')).toBe('<a>a</a><a href="https://a.example/" target="_blank" rel="noreferrer">b</a>'); // prettier-ignore
    expect(await safe("<form action=x><input name=password><button>Sign in</button></form>")).toBe("Sign in"); // prettier-ignore
    expect(await safe("<style>body{display:none}</style><iframe srcdoc='<p>c</p>'></iframe><template><p>d</p></template>")).toBe(""); // prettier-ignore
    expect(asked).toEqual([]);
  });
});
