import { join } from "node:path";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "./support/treadle.ts";

/** What the preview shows of a React app that a person changes by hand, breaks and has repaired. */
let model: ScriptedModel;
let treadle: RunningTreadle;
let browser: Browser;
let page: Page;
/** A page of nobody's, whose policy lets it read pictures. */
let paper: Page;
let person: ReturnType<typeof personAt>;

beforeAll(async () => {
  model = await createScriptedModel({ script: loadScript(join(root, "e2e/scripts/preview.md")) });
  treadle = await startTreadle({ env: scriptedBy(model) });
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: null });
  paper = await browser.newPage();
  person = personAt(page, treadle);
  await person.open();
  await person.ask("Build a page");
  await person.sees("verified");
});
afterAll(async () => {
  await browser?.close();
  await treadle?.stop();
  await model?.close();
});

const files = () => `/api/projects/${person.projectId()}/files`;

/** Puts a file in place of what it is, as the editor does. */
async function write(path: string, change: (text: string) => string): Promise<void> {
  const before = await treadle.api(`${files()}/${path}`);
  const { text, version } = (await before.json()) as { text: string; version: string };
  const answer = await treadle.api(`${files()}/${path}`, {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text: change(text) }),
  });
  expect(answer.ok).toBe(true);
}

const frameOf = (at: Page) => at.locator('iframe[title="Preview of the app"]');

/** The colour at the foot of the preview, where its page has nothing. */
async function ground(at: Page): Promise<number[]> {
  const box = (await frameOf(at).boundingBox())!;
  const clip = { x: box.x + 20, y: box.y + box.height - 20, width: 1, height: 1 };
  const point = (await at.screenshot({ clip })).toString("base64");
  return paper.evaluate(async (base64) => {
    const image = await createImageBitmap(
      await (await fetch(`data:image/png;base64,${base64}`)).blob(),
    );
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  }, point);
}

async function inBrowser<T>(
  options: BrowserContextOptions,
  use: (other: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...options,
    storageState: await page.context().storageState(),
  });
  try {
    const other = await context.newPage();
    await other.goto(page.url());
    await frameOf(other).contentFrame().getByRole("heading", { name: "Words" }).waitFor();
    return await use(other);
  } finally {
    await context.close();
  }
}

const WHITE = [255, 255, 255];
/** What Chromium puts under a page that knows dark. */
const DARK = [18, 18, 18];

describe("light and dark", () => {
  it("shows a page without a background as its own tab would, in a browser that prefers dark", async () => {
    await write("src/index.css", () => ":root { color-scheme: light dark; }\n");
    await inBrowser({ colorScheme: "dark" }, async (other) => {
      await expect.poll(() => ground(other)).toEqual(DARK);
      await picture(other, "preview-dark");
    });
    await write("src/index.css", () => "h1 { color: black; }\n");
    await inBrowser({ colorScheme: "dark" }, async (other) => {
      await expect.poll(() => ground(other)).toEqual(WHITE);
    });
  });

  it("shows it in dark at the switch of its bar, and in light again", async () => {
    await write("src/index.css", () => ":root { color-scheme: light dark; }\n");
    await expect.poll(() => ground(page)).toEqual(WHITE);
    const prefers = () =>
      page
        .frames()
        .at(-1)!
        .evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
    expect(await prefers()).toBe(false);
    await page.getByRole("button", { name: "Show in dark" }).click();
    await expect.poll(() => ground(page)).toEqual(DARK);
    expect(await prefers()).toBe(true);
    await picture(page, "preview-switched");
    await page.getByRole("button", { name: "Show in light" }).click();
    await expect.poll(() => ground(page)).toEqual(WHITE);
  });
});
