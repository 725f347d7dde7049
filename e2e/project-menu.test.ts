import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { setStage, type Stage } from "./support/stage.ts";
let { treadle, browser } = {} as Stage;
setStage({}, (stage) => {
  ({ treadle, browser } = stage);
});
it("a listed project is renamed and deleted through its menu", async () => {
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
  // The menu of the removed field gets the focus.
  const focused = (one: string) =>
    page.getByRole("button", { name: one }).evaluate((button) => button === document.activeElement);
  await expect.poll(() => focused("More for Tides")).toBe(true);
  await page.getByRole("link", { name: /Tides/ }).click();
  for (const key of ["Enter", "Escape"]) {
    await page.getByRole("button", { name: "Project Tides" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await field.waitFor();
    await field.press(key);
    await expect.poll(() => focused("Project Tides")).toBe(true);
  }
  await page.goBack();
  await page.getByRole("button", { name: "More for Tides" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Tides/ }).count()).toBe(0);
  // It can be restored, after a reload as well.
  await page.reload();
  const deleted = page.getByRole("list", { name: "Just deleted" });
  await deleted.getByText(/Tides/).waitFor();
  await picture(page, "just-deleted");
  await deleted.getByRole("button", { name: "Put back Tides" }).click();
  await page.getByRole("link", { name: /Tides/ }).waitFor();
  expect(await deleted.count()).toBe(0);
});

it("a project deleted on its own page is restored with one click on the notice", async () => {
  const page = await browser.newPage();
  await personAt(page, treadle).open();
  await page.getByRole("link", { name: /Tides/ }).click();
  await page.getByRole("button", { name: "Project Tides" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: /Tides/ }).click();
  await page.getByRole("button", { name: "Project Tides" }).waitFor();
});

it("an archived project is hidden, and found by searching", async () => {
  const page = await browser.newPage();
  await personAt(page, treadle).open();
  await page.getByRole("button", { name: "More for Tides" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Tides/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Show 1 archived" }).click();
  await page.getByRole("link", { name: /Tides/ }).waitFor();
  await picture(page, "archived");
  await page.getByRole("button", { name: "More for Tides" }).click();
  await page.getByRole("menuitem", { name: "Take out of the archive" }).click();
  await expect.poll(() => page.getByRole("button", { name: /archived/ }).count()).toBe(0);
  await page.getByRole("link", { name: /Tides/ }).waitFor();
});
