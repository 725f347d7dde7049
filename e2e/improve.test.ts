import { join } from "node:path";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { root, startTreadle, type RunningTreadle, scriptedBy } from "./support/treadle.ts";

let model: ScriptedModel;
let treadle: RunningTreadle;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  model = await createScriptedModel({ script: loadScript(join(root, "e2e/scripts/improve.md")) });
  treadle = await startTreadle({
    env: scriptedBy(model),
  });
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(treadle.address);
});
afterAll(async () => {
  await browser?.close();
  await treadle?.stop();
  await model?.close();
});

const field = () => page.getByRole("textbox", { name: "What shall we build?" });
const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("improving a prompt", () => {
  it("says it better in the field, and gives the person's own words back", async () => {
    await field().fill("todo app");
    await button("Improve").click();
    await expect
      .poll(() => field().inputValue())
      .toMatch(/^A todo list .* stays in the browser\.$/);
    await button("Undo").waitFor();
    await picture(page, "improved");
    await button("Undo").click();
    expect(await field().inputValue()).toBe("todo app");
    expect(await button("Undo").count()).toBe(0);
  });

  it("keeps the person's words and says why when the model cannot", async () => {
    await field().fill("todo app, again");
    await button("Improve").click();
    await page.getByRole("alert").filter({ hasText: "overloaded" }).waitFor();
    expect(await field().inputValue()).toBe("todo app, again");
  });
});
