import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** Every page in every state, for those who do not use it by eye and mouse: axe finds nothing, light and dark. */
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Both themes of the page as it stands; `name` is of its picture. */
async function isSound(page: Page, name: string): Promise<void> {
  const found: string[] = [];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const problem of await problemsOf(page)) found.push(`${theme}: ${problem}`);
    await picture(page, `a11y-${name}-${theme}`);
  }
  expect(found).toEqual([]);
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

  it("an address that leads nowhere, and the page of somebody who is not signed in", async () => {
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
  let { page, treadle, person } = {} as Stage;
  setStage({ script: scriptNamed("preview") }, (stage) => ({ page, treadle, person } = stage));

  it("while it works, and verified", async () => {
    await person.open();
    await person.ask("Build a page");
    await page.getByRole("heading", { name: "You" }).waitFor();
    await isSound(page, "working");
    await person.sees("verified");
    await isSound(page, "verified");
    expect(await page.getByRole("main").count()).toBe(1);
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
    await page.getByRole("button", { name: /^Window: / }).click();
    await isSound(page, "devices");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Page: / }).click();
    await isSound(page, "evidence");
    await page.keyboard.press("Escape");
    await person.tab("Code");
    await page.getByText("App.tsx").first().click();
    await page.locator(".cm-content").waitFor();
    await isSound(page, "code");
    await person.tab("Changes");
    await isSound(page, "changes");
    await page.getByRole("button", { name: "Terminal" }).click();
    await page.locator(".xterm").waitFor();
    await isSound(page, "terminal");
    await page.getByRole("button", { name: "Terminal", exact: true }).first().click();
    await person.tab("Preview");
    await page.getByRole("button", { name: "History" }).click();
    await isSound(page, "history");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Settings" }).click();
    await isSound(page, "settings");
    await page.keyboard.press("Escape");
  });

  it("failed", async () => {
    const address = `/api/projects/${person.projectId()}/files/src/App.tsx`;
    const { text, version } = (await (await treadle.api(address)).json()) as {
      text: string;
      version: string;
    };
    await treadle.api(address, {
      method: "PUT",
      headers: { "if-match": `"${version}"` },
      body: JSON.stringify({ text: `${text}\nfoo.bar();\n` }),
    });
    await page.getByRole("button", { name: "Check now" }).click();
    await person.sees("failed");
    await page.getByRole("region", { name: "What is wrong with the app" }).waitFor();
    await isSound(page, "failed");
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

  it("by keyboard the first stop leads to the content, past all that stands above it", async () => {
    await page.reload();
    await page.getByRole("heading", { name: "You" }).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Skip to the content");
    await picture(page, "a11y-skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  it("what can be pressed is 24 pixels or more, also for a mouse", async () => {
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, a[href], input, select, [role=tab]")]
        .filter((one) => one.checkVisibility() && !one.closest(".sr-only") && !one.closest("p"))
        // What stands in a label is pressed by it.
        .map((one) => ({ one, box: (one.closest("label") ?? one).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.width < 24 || box.height < 24))
        .map(({ one, box }) => `${one.ariaLabel ?? one.textContent}: ${box.width}×${box.height}`),
    );
    expect(small).toEqual([]);
  });
});

describe("a question and an approval", () => {
  let { page, treadle, person } = {} as Stage;
  setStage({ script: scriptNamed("approvals") }, (stage) => ({ page, treadle, person } = stage));

  it("a plan, and what is asked", async () => {
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
