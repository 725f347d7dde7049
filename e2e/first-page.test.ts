import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

describe("with a model", () => {
  let { page, person, treadle } = {} as Stage;
  setStage({ script: scriptNamed("page") }, (stage) => ({ page, person, treadle } = stage));

  const models = () => page.getByRole("dialog", { name: "Model" });
  const chip = () => page.getByRole("button", { name: /^Model:/ });

  it("opens the menu of models by keyboard the first time as well, and restores the focus", async () => {
    await person.open();
    await chip().focus();
    await page.keyboard.press("Enter");
    await models().getByRole("button").first().waitFor();
    await page.keyboard.press("Escape");
    await models().waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toMatch(/^Model:/);
    await page.keyboard.press("Enter");
    await models().waitFor();
    await page.keyboard.press("Escape");
  });

  it("folds providers that are not set up", async () => {
    await person.open();
    await chip().click();
    const provider = models().getByRole("button", { name: "Anthropic" });
    await models().getByText("Add a provider").waitFor();
    expect(await provider.isVisible()).toBe(false);
    await models().getByText("Add a provider").click();
    await provider.click();
    await page.getByRole("button", { name: "Back to the models" }).click();
    await provider.waitFor();
    await page.keyboard.press("Escape");
  });

  it("labels search and settings, and shows kinds of apps and ways to open in one line", async () => {
    await person.open();
    const line = async (name: string) =>
      (await page.getByRole("button", { name, exact: true }).boundingBox())!.y;
    expect(await line("folder")).toBe(await line("Game"));
    await page.getByRole("button", { name: "Search projects, chats, files" }).click();
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
  });

  it("shows a project's verdict and turns, and its address once it is published", async () => {
    await person.open();
    await person.ask("Build a page");
    await person.sees("runs");
    const id = person.projectId();
    await person.open();
    const card = page.getByRole("listitem").filter({ has: page.locator(`a[href="/p/${id}"]`) });
    await card.locator('[data-verdict="runs"]').waitFor();
    await card.getByText(/1 turn/).waitFor();
    const body = JSON.stringify({ name: "words", anyway: "Ada" });
    // A turn has not ended as soon as its verdict is shown.
    await expect
      .poll(async () => {
        const answer = await treadle.api(`/api/projects/${id}/publication`, {
          method: "POST",
          body,
        });
        return answer.status;
      })
      .toBe(202);
    await expect
      .poll(async () => {
        await page.reload();
        await card.waitFor();
        return card.getByRole("link", { name: /release 1/ }).count();
      })
      .toBe(1);
    await card.getByRole("link", { name: /Live$/ }).waitFor();
    for (const width of [1440, 390])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await expect
          .poll(() => problemsOf(page, colorScheme === "dark" ? "colours" : "all"))
          .toEqual([]);
        await picture(page, `first-page-${width}-${colorScheme}`);
      }
    const opened = page.waitForEvent("popup");
    await card.getByRole("link", { name: /release 1/ }).click();
    await (await opened).getByRole("heading", { name: "Words" }).waitFor();
  });
});

describe("without a model", () => {
  let { page, person } = {} as Stage;
  setStage({}, (stage) => ({ page, person } = stage));

  it("lists the providers immediately, each with a link to its page for keys", async () => {
    await person.open();
    await page.getByRole("button", { name: "Choose a model" }).click();
    await page.getByRole("button", { name: "Anthropic" }).click();
    const link = page.getByRole("link", { name: "Get a key from Anthropic" });
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/[a-z.]*anthropic\.com\//);
    expect(await link.getAttribute("rel")).toContain("noreferrer");
    await expect.poll(() => problemsOf(page)).toEqual([]);
  });
});
