import { describe, expect, it } from "vitest";
import type { Locator } from "playwright-core";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle, browser } = {} as Stage;
const script = { scripted: scriptNamed("clock-plain"), hands: scriptNamed("clock-broken") };
setStage({ own: true, script, pace: { charactersPerSecond: 1_500, firstMs: 100 } }, (stage) => {
  ({ page, person, treadle, browser } = stage);
});

const attempt = (name: string): Locator => page.getByRole("article", { name });
const chip = (name: string, state: string) =>
  attempt(name).locator(`[role="status"][data-verdict="${state}"]`);
const projects = async () =>
  (await (await treadle.api("/api/projects")).json()) as { projects: { id: string }[] };

/** What is typed goes to each of both models once. */
async function compareBoth(): Promise<void> {
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("button", { name: "Compare several…" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare" });
  await dialog.getByRole("button", { name: "One more by hands" }).click();
  await dialog.getByText("2 attempts.").waitFor();
  await picture(page, "compare-dialog");
  expect(await problemsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/compare\//);
}

describe("one request, two models", () => {
  it("from the first page: both build side by side, each with its steps, evidence, time and verdict", async () => {
    await person.open();
    await page.getByRole("textbox", { name: "What shall we build?" }).fill("Build a clock");
    await compareBoth();
    await chip("scripted", "working").or(chip("scripted", "runs")).waitFor();
    await picture(page, "compare-going");
    await chip("scripted", "runs").waitFor({ timeout: 120_000 });
    await chip("hands", "failed").waitFor({ timeout: 120_000 });
    await page.getByText("2 of 2 done").waitFor();
    await attempt("scripted").getByText("Wrote index.html").waitFor();
    await attempt("hands")
      .getByText(/clock is not defined/)
      .first()
      .waitFor();
    await attempt("scripted")
      .getByRole("img", { name: /scripted/ })
      .waitFor();
    expect(await attempt("scripted").getByText("Time", { exact: true }).count()).toBe(1);
    await picture(page, "compare-done");
    expect(await problemsOf(page)).toEqual([]);
  });

  it("its attempts are one entry on the first page, found there after a reload", async () => {
    await person.open();
    const row = page.getByRole("list", { name: "Comparisons" }).getByRole("link");
    await row.getByText("Build a clock").waitFor();
    await row.getByText("2 of 2 done").waitFor();
    expect(await page.getByRole("button", { name: /^More for/ }).count()).toBe(0);
    await picture(page, "compare-home");
    await row.click();
    await chip("scripted", "runs").waitFor();
  });

  it("one is kept and is a project as any other, and the other is gone", async () => {
    await attempt("scripted").getByRole("button", { name: "Keep this one" }).click();
    await page.waitForURL(/\/p\//);
    await person.sees("runs");
    await person.preview().getByRole("heading", { name: "10:24" }).waitFor();
    expect((await projects()).projects).toHaveLength(1);
  });
});

describe("in a project", () => {
  it("two attempts go on while the project stays as it is and says so", async () => {
    await page.getByRole("textbox", { name: "Say what to change" }).fill("Add a date");
    const address = page.url();
    await compareBoth();
    await chip("scripted", "runs").waitFor({ timeout: 120_000 });
    await chip("hands", "runs").waitFor({ timeout: 120_000 });
    await page.getByRole("link", { name: "To the project" }).click();
    await page.waitForURL(address);
    await page.getByText("Several attempts are being compared").waitFor();
    expect(await person.preview().getByText("23 November").count()).toBe(0);
    await picture(page, "compare-in-project");
    await page.getByRole("link", { name: "Look at them side by side" }).click();
  });

  it("stands as columns on a wide page and is swiped on a phone, light and dark", async () => {
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await chip("hands", "runs").waitFor();
        await picture(page, `compare-${width}-${colorScheme}`);
        expect(await problemsOf(page)).toEqual([]);
      }
    const box = await attempt("scripted").boundingBox();
    expect(box!.width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("what is kept comes back with its turn, its files and a checkpoint before it", async () => {
    await attempt("hands").getByRole("button", { name: "Keep this one" }).click();
    await page.waitForURL(/\/p\//);
    const conversation = page.getByLabel("Conversation");
    await conversation.getByText("Add a date").first().waitFor();
    await conversation.getByText("The whole date stands below it.").first().waitFor();
    await person.sees("runs");
    await person.preview().getByText("23 November").waitFor();
    expect(await page.getByText("Several attempts are being compared").count()).toBe(0);
    expect((await projects()).projects).toHaveLength(1);
    await picture(page, "compare-kept");
  });

  it("none is kept where none is wanted, and the project is as before", async () => {
    await page.getByRole("textbox", { name: "Say what to change" }).fill("Make a clock of it");
    await compareBoth();
    await page.getByRole("button", { name: "Stop all" }).click();
    await page.getByRole("button", { name: "Keep none" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep none" }).click();
    await page.waitForURL(/\/p\//);
    await person.preview().getByText("23 November").waitFor();
    expect((await projects()).projects).toHaveLength(1);
    expect(browser.isConnected()).toBe(true);
  });
});
