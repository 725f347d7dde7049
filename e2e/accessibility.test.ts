import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/**
 * Checks every page in every state with axe, in light and dark, for people who use neither eyes nor
 * mouse.
 */
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Checks the current page in both themes once it is stable; `name` names its picture. */
async function isSound(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    // Elements that appear or disappear meanwhile (a notice, a starting step) are read half drawn.
    await expect
      .poll(() => problemsOf(page, theme === "dark" ? "colours" : "all"), { message: theme })
      .toEqual([]);
    await picture(page, `a11y-${name}-${theme}`);
  }
}

describe("without a model", () => {
  let { page, treadle, person, browser } = {} as Stage;
  setStage({}, (stage) => ({ page, treadle, person, browser } = stage));

  it("the first page, its menus and its dialogs", async () => {
    await person.open();
    await isSound(page, "first");
    await page.setViewportSize(narrow);
    await isSound(page, "first-phone");
    await page.setViewportSize(wide);
    await page.getByRole("button", { name: "Choose a model" }).click();
    await isSound(page, "first-models");
    await page.keyboard.press("Escape");
  });

  it("an unknown address, and the page for people who are not signed in", async () => {
    await page.goto(`${treadle.origin}/nowhere`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await isSound(page, "lost");
    const stranger = await browser.newPage({ viewport: wide });
    await stranger.goto(treadle.origin);
    await stranger.getByRole("heading", { level: 1 }).waitFor();
    await isSound(stranger, "stranger");
    await stranger.close();
  });
});

describe("a project", () => {
  let { page, person } = {} as Stage;
  setStage({ script: scriptNamed("page") }, (stage) => ({ page, person } = stage));

  it("while it works, and verified", async () => {
    await person.open();
    await person.ask("Build a page");
    await page.getByRole("heading", { name: "You" }).waitFor();
    await isSound(page, "working");
    await person.sees("runs");
    await isSound(page, "runs");
    await expect.poll(() => page.getByRole("main").count()).toBe(1);
  });

  it("its panes, drawers and dialogs", async () => {
    await page.getByRole("button", { name: "Console and network" }).click();
    await page.getByRole("tab", { name: /^Network/ }).click();
    await isSound(page, "network");
    await page.getByRole("tab", { name: /^Console/ }).click();
    await isSound(page, "console");
    await page.getByRole("button", { name: "Close the console" }).click();
    await page.getByRole("button", { name: "Select an element" }).click();
    await person.preview().getByRole("heading", { name: "Words" }).click();
    await page.getByRole("region", { name: "Selected element" }).getByLabel("Size").waitFor();
    await isSound(page, "selected");
    await page.getByRole("button", { name: "Close the selection" }).click();
  });

  it("on a phone, each of its panes", async () => {
    await page.setViewportSize(narrow);
    const panes = page.getByRole("navigation", { name: "Panes" });
    for (const name of ["Chat", "Preview", "Code", "More"]) {
      await panes.getByRole("button", { name }).click();
      await isSound(page, `phone-${name.toLowerCase()}`);
    }
    await page.setViewportSize(wide);
  });
});

describe("a question and an approval", () => {
  let { page, treadle, person } = {} as Stage;
  setStage({ script: scriptNamed("approvals") }, (stage) => ({ page, treadle, person } = stage));

  it("a plan, and a question", async () => {
    await person.open();
    await page.getByRole("switch", { name: "Plan" }).check();
    await person.ask("A page that says Milk");
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.waitFor();
    await isSound(page, "plan");
    await treadle.api(`/api/projects/${person.projectId()}/approvals`, {
      method: "PUT",
      body: JSON.stringify({ mode: "safe", always: [] }),
    });
    await plan.getByRole("button", { name: "Build this" }).click();
    await page.getByRole("region", { name: "A question for you" }).waitFor();
    await isSound(page, "approval");
    await page.setViewportSize(narrow);
    await isSound(page, "approval-phone");
  });
});
