import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** A turn that does not repair what it broke, as the user sees it. */
let { page, person } = {} as Stage;
setStage({ script: scriptNamed("throws") }, async (stage) => {
  ({ page, person } = stage);
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await person.sendMessage("Show the sales as bars");
  await person.sees("failed");
});

const ERROR = "TypeError: sales.map is not a function";
const card = (at: Page) => at.getByRole("region", { name: "Result", exact: true });
const conversation = () => page.getByLabel("Conversation");

it("shows the error once in the conversation, large, with its source line", async () => {
  const heading = card(page).getByRole("heading", { name: ERROR });
  await heading.waitFor();
  await card(page).getByText("document.body.append").waitFor();
  expect(await heading.evaluate((one) => getComputedStyle(one).fontSize)).toBe("16px");
  const text = await conversation().innerText();
  expect(text.split("sales.map is not a function")).toHaveLength(2);
  await page.getByRole("region", { name: "What is wrong with the app" }).waitFor();
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await expect
      .poll(() => problemsOf(page, theme === "dark" ? "colours" : "all"), { message: theme })
      .toEqual([]);
    await picture(page, `failure-${theme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
});

it("offers one repair in the header, and continuing or restoring in the card", async () => {
  await expect.poll(() => page.getByRole("button", { name: /^Fix/ }).count()).toBe(1);
  await card(page).getByRole("button", { name: "Go on", exact: true }).waitFor();
  await card(page)
    .getByRole("button", { name: /^Go back to [0-9a-f]{4}$/ })
    .click();
  await person.sees("runs");
  await person.preview().getByRole("heading", { name: "Sales" }).waitFor();
  expect(await card(page).getByRole("button", { name: "Go on", exact: true }).count()).toBe(0);
});

describe("on a phone", () => {
  const pane = (name: string) =>
    page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });

  it("has a one-row header with a single bead for the worst state, which opens all of them", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const header = page.getByRole("banner");
    await expect.poll(() => header.locator("[data-part]").count()).toBe(1);
    await expect.poll(async () => (await header.boundingBox())!.height).toBeLessThanOrEqual(49);
    const bead = header.getByRole("button", { name: /^Evidence/ });
    await expect.poll(() => bead.getAttribute("data-state")).toBe("held");
    await bead.click();
    await page.getByRole("dialog").getByText("Console").waitFor();
    await page.keyboard.press("Escape");
  });

  it("has a list of everything without a pane, with Delete last", async () => {
    await pane("More").click();
    const rows = page.getByRole("main").getByRole("listitem").getByRole("button");
    await expect.poll(() => rows.last().innerText()).toBe("Delete");
    const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
    for (const box of boxes.slice(0, 3)) expect(box).toMatchObject({ x: 0, width: 390 });
    await picture(page, "phone-more");
  });

  it("has room for an address", async () => {
    await pane("Preview").click();
    const field = page.getByRole("combobox", { name: "Address" });
    expect((await field.boundingBox())!.width).toBeGreaterThan(180);
    await picture(page, "phone-preview");
  });

  it("hides the terminals with their pane", async () => {
    await pane("More").click();
    await page.getByRole("button", { name: "Terminal", exact: true }).click();
    const terminals = page.getByRole("region", { name: "Terminals" });
    await terminals.waitFor();
    await pane("Chat").click();
    await pane("Code").click();
    await page.getByRole("button", { name: "Terminal", exact: true }).waitFor();
    expect(await terminals.count()).toBe(0);
  });

  it("shows one pane at a time below 900 pixels as well", async () => {
    await page.setViewportSize({ width: 899, height: 800 });
    await pane("Chat").waitFor();
    await page.setViewportSize({ width: 900, height: 800 });
    await pane("Chat").waitFor({ state: "detached" });
  });
});
