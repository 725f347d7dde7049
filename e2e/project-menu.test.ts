import { expect, it } from "vitest";
import { personAt } from "./support/person.ts";
import { setStage, type Stage } from "./support/stage.ts";
let { treadle, browser } = {} as Stage;
setStage({}, (stage) => {
  ({ treadle, browser } = stage);
});
it("a project of the list is renamed and deleted through its menu", async () => {
  const page = await browser.newPage();
  await treadle.api("/api/projects", { method: "POST", body: "{}" });
  await personAt(page, treadle).open();
  await page.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "Project name" });
  await field.waitFor();
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  await field.fill("Tides");
  await field.press("Enter");
  await page.getByRole("link", { name: /Tides/ }).waitFor();
  await page.getByRole("button", { name: "More for Tides" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Tides/ }).count()).toBe(0);
});
