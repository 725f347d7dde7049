import { join } from "node:path";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "./support/treadle.ts";

/** A person judges with their own eyes what no check can, by the page before and after the turn. */
let model: ScriptedModel;
let treadle: RunningTreadle;
let browser: Browser;
let page: Page;
let person: ReturnType<typeof personAt>;

beforeAll(async () => {
  model = await createScriptedModel({ script: loadScript(join(root, "e2e/scripts/by-eye.md")) });
  treadle = await startTreadle({ env: scriptedBy(model) });
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  person = personAt(page, treadle);
  await person.open();
  await person.ask("Make a page for notes");
  await person.sees("runs");
});
afterAll(async () => {
  await browser?.close();
  await treadle?.stop();
  await model?.close();
});

const result = () => page.getByRole("region", { name: "Result" });

it("shows the page before and after, and is verified by the person's word", async () => {
  await person.say("Make it dark");
  await person.sees("working");
  await person.sees("runs");
  await result().getByText("Look at it yourself").waitFor();
  await result()
    .getByRole("img", { name: /before/ })
    .waitFor();
  await result().getByRole("img", { name: /now/ }).waitFor();
  await picture(page, "look-yourself");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, "look-yourself-phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked = model.requests.length;
  await result().getByRole("button", { name: "It is as I wanted" }).click();
  await person.sees("verified");
  await result().getByText("Verified", { exact: false }).first().waitFor();
  expect(await result().getByRole("button", { name: "It is as I wanted" }).count()).toBe(0);
  // The list of projects says the same word, and no model was asked.
  const projects = await (await treadle.api("/api/projects")).json();
  expect(JSON.stringify(projects)).toContain('"verdict":"verified"');
  expect(model.requests.length).toBe(asked);
});
