import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture, startBrowser } from "./support/browser.ts";
import { looksOf, otherLooks, type Looks } from "./support/looks.ts";
import { root } from "./support/treadle.ts";

/**
 * Compares every component in every state with its approved appearance. After an intended change,
 * run with TREADLE_NEW_LOOKS=1 and check the diff in git.
 */
const looksFile = (theme: string) => join(root, `e2e/looks/${theme}.json`);

const outDir = join(root, ".cache/components");

let server: PreviewServer;
let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  const configFile = join(root, "apps/web/vite.config.ts");
  const input = join(root, "apps/web/dev/components.html");
  await build({
    configFile,
    logLevel: "error",
    build: { outDir, emptyOutDir: true, minify: false, rolldownOptions: { input } },
  });
  server = await preview({
    configFile,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1", proxy: {} },
  });
  address = `${server.resolvedUrls!.local[0]}dev/components`;
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 720, height: 900 } });
  page.on("pageerror", (error) => broken.push(String(error)));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
/** Errors thrown by the page. */
const broken: string[] = [];

/** Opens the page in a theme and a language. */
async function open(theme: string, language = "en"): Promise<void> {
  await page.goto(`${address}.html?theme=${theme}&language=${language}`);
  await page
    .getByRole("heading", { name: "Components" })
    .waitFor()
    .catch((error: unknown) => {
      throw new Error(broken.join("\n") || String(error));
    });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-part]")].every((part) => part.childElementCount > 0),
  );
  // Parts that they load themselves (such as the Markdown parser) are loaded as well.
  await page.waitForLoadState("networkidle");
  expect(broken).toEqual([]);
}

describe.each(["light", "dark"])("the components, %s", (theme) => {
  it("look the same as before", async () => {
    await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "none" });
    await open(theme);
    await picture(page, `components-${theme}`, { fullPage: true });
    if (process.env["TREADLE_NEW_LOOKS"])
      writeFileSync(looksFile(theme), `${JSON.stringify(await looksOf(page), undefined, 1)}\n`);
    const was = JSON.parse(readFileSync(looksFile(theme), "utf8")) as Looks;
    // Parts that load late are drawn late.
    await expect
      .poll(async () => otherLooks(was, await looksOf(page)), { timeout: 10_000 })
      .toEqual([]);
  });
});

it.each(["en", "zh", "ja", "pt"])("the components are accessible (%s)", async (language) => {
  await open("light", language);
  // Parts of several pages are on one page, each with its own landmarks.
  const isFound = (problem: string) => !problem.startsWith("landmark-");
  // Colours are the same in every language.
  const found = await problemsOf(page, language === "en" ? "all" : "structure");
  expect(found.filter(isFound)).toEqual([]);
  if (language !== "en") return;
  await page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"));
  expect((await problemsOf(page, "colours")).filter(isFound)).toEqual([]);
});

it("a disabled button keeps the focus, and neither a click nor Enter in a field acts", async () => {
  await open("light");
  const part = page.locator('[data-part="a form that is being sent"]');
  const button = part.getByRole("button", { name: "Send" });
  const sent = () => part.getByRole("status").textContent();
  await button.press("Enter");
  expect(await sent()).toBe("Sent 1");
  expect(await button.isDisabled()).toBe(true);
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  await button.press("Enter");
  await button.click({ force: true });
  await part.getByRole("textbox").press("Enter");
  expect(await sent()).toBe("Sent 1");
});

it("a selected entry that is too long ends with an ellipsis", async () => {
  await open("light");
  const shown = page.getByRole("combobox", { name: "Compared" }).locator("span");
  const cut = await shown.evaluate((span) => ({
    how: getComputedStyle(span).textOverflow,
    cut: span.scrollWidth > span.clientWidth,
    within:
      span.getBoundingClientRect().right <
      span.closest("select")!.getBoundingClientRect().right - 20,
  }));
  expect(cut).toEqual({ how: "ellipsis", cut: true, within: true });
});

describe("the components, in forced colours", () => {
  it("use only those colours, and still have borders and text", async () => {
    await page.emulateMedia({
      forcedColors: "active",
      colorScheme: "dark",
      reducedMotion: "reduce",
    });
    await open("dark");
    await picture(page, "components-forced", { fullPage: true });
    const grounds = await page
      .locator("[data-part] button")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    const forced = await page.evaluate(() => {
      const probe = document.createElement("div");
      document.body.append(probe);
      const colours = ["ButtonFace", "Canvas", "transparent"].map((name) => {
        probe.style.backgroundColor = name;
        return getComputedStyle(probe).backgroundColor;
      });
      probe.remove();
      return colours;
    });
    expect(grounds.filter((one) => !forced.includes(one))).toEqual([]);
  });

  it("nothing moves with reduced motion", async () => {
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .map((one) => String((one.effect as KeyframeEffect).target?.className)),
    );
    expect(moving).toEqual([]);
  });
});
