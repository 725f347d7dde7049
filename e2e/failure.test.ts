import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** A turn that does not repair what it broke, as the person finds it. */
let { page, person } = {} as Stage;
setStage({ script: scriptNamed("throws") }, async (stage) => {
  ({ page, person } = stage);
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await person.say("Show the sales as bars");
  await person.sees("working");
  await person.sees("failed");
});

const ERROR = "TypeError: sales.map is not a function";
const card = (at: Page) => at.getByRole("region", { name: "Result", exact: true });
const conversation = () => page.getByLabel("Conversation");

it("says the error once in the conversation, large, with its line in the source", async () => {
  const heading = card(page).getByRole("heading", { name: ERROR });
  await heading.waitFor();
  await card(page).getByText("document.body.append").waitFor();
  expect(await heading.evaluate((one) => getComputedStyle(one).fontSize)).toBe("16px");
  const text = await conversation().innerText();
  expect(text.split("sales.map is not a function")).toHaveLength(2);
  await page.getByRole("region", { name: "What is wrong with the app" }).waitFor();
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await expect.poll(() => problemsOf(page), { message: theme }).toEqual([]);
    await picture(page, `failure-${theme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
});

it("offers one repair in the header, and in the card what goes on or back", async () => {
  expect(await page.getByRole("button", { name: /^Fix/ }).count()).toBe(1);
  await card(page).getByRole("button", { name: "Go on", exact: true }).waitFor();
  await card(page)
    .getByRole("button", { name: /^Go back to [0-9a-f]{4}$/ })
    .click();
  await person.sees("runs");
  await person.preview().getByRole("heading", { name: "Sales" }).waitFor();
  expect(await card(page).getByRole("button", { name: "Go on", exact: true }).count()).toBe(0);
});
