import { expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle } = {} as Stage;
setStage({ script: scriptNamed("page") }, (stage) => {
  ({ page, person, treadle } = stage);
});

const settings = () => page.getByRole("dialog", { name: "Settings" });
const part = (name: string) => settings().getByRole("region", { name, exact: true });
const parts = () => settings().getByRole("navigation", { name: "Parts of the settings" });

/** By how many pixels the text of each choice is below the middle of its box. */
const middlesOfChoices = () =>
  settings()
    .getByRole("combobox")
    .evaluateAll((all) => {
      const middle = (one: Element) => {
        const { top, bottom } = one.getBoundingClientRect();
        return (top + bottom) / 2;
      };
      return all.map((one) => middle(one.querySelector("button span")!) - middle(one));
    });

async function sound(name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => problemsOf(page, colorScheme === "dark" ? "colours" : "all"), {
        message: colorScheme,
      })
      .toEqual([]);
    await picture(page, `${name}-${colorScheme}`);
  }
}

it("are one page, opened and closed by a button, keys, an address and the browser's Back", async () => {
  await person.open();
  await page.getByRole("button", { name: "Settings" }).click();
  await part("Models and keys").waitFor();
  expect(new URL(page.url()).search).toBe("?settings=models");
  await page.goBack();
  await settings().waitFor({ state: "detached" });
  await page.keyboard.press("Control+,");
  await parts().getByRole("button", { name: "About" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?settings=about");
  await settings().getByRole("list", { name: "This machine" }).waitFor();
  await page.reload();
  await settings().getByRole("list", { name: "This machine" }).waitFor();
  await expect.poll(async () => (await part("About").boundingBox())!.y).toBeLessThan(400);
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  // Two simultaneous key presses close them once.
  const under = page.url();
  await page.keyboard.press("Control+,");
  await settings().waitFor();
  await page.evaluate(() => {
    for (let times = 0; times < 2; times++)
      document.activeElement!.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }),
      );
  });
  await settings().waitFor({ state: "detached" });
  expect(page.url()).toBe(under);
  await page.keyboard.press("Control+,");
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
  // Nothing of a project is shown.
  await page.goto(`${treadle.origin}/?settings=nonsense`);
  await part("Models and keys").waitFor();
  expect(await parts().getByRole("button", { name: "Budget" }).count()).toBe(0);
  await sound("settings-first");
  await page.keyboard.press("Escape");
});

it("return the keyboard to the page as soon as they are closed", async () => {
  await page.keyboard.press("Control+,");
  await settings().getByRole("searchbox").waitFor();
  await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Control+k")]);
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.waitFor();
  await settings().waitFor({ state: "detached" });
  const field = palette.getByRole("combobox");
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+,");
  await settings().getByRole("searchbox").waitFor();
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
});

it("stay open when Escape closes a select's list in them", async () => {
  await page.keyboard.press("Control+,");
  const language = part("Language").getByRole("combobox").first();
  await language.focus();
  await page.keyboard.press("Space");
  const open = () => page.locator("select:open").count();
  await expect.poll(open).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(open).toBe(0);
  await expect.poll(() => language.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
});

it("show only the parts that contain the searched text", async () => {
  await page.keyboard.press("Control+,");
  const search = settings().getByRole("searchbox");
  await search.fill("dark");
  await part("Appearance").waitFor();
  await part("Rules").waitFor({ state: "hidden" });
  await search.fill("nobody says such a thing");
  await settings().getByText("Nothing in the settings matches").waitFor();
  await page.keyboard.press("Escape");
  // Ends the search first.
  await part("Your rules").waitFor();
  await part("Appearance").getByText("Dark").click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await part("Appearance").getByText("System").click();
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
});

it("of a project contain everything that its drawers had, and can be linked to", async () => {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await page.goto(`${treadle.origin}/p/${person.projectId()}?settings=budget`);
  await part("Budget").waitFor();
  for (const name of [
    "Approvals",
    "Rules of the project",
    "Your rules",
    "Skills",
    "Allowed hosts",
    "Secrets",
    "Tools (MCP)",
    "Language",
    "Keyboard shortcuts",
    "About",
  ])
    await part(name).waitFor();
  await settings().getByRole("button", { name: "scripted", pressed: true }).waitFor();
  await settings().getByText("Treadle's own").first().waitFor();
  await settings().getByRole("list", { name: "This machine" }).waitFor();
  await sound("settings");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await sound("settings-phone");
  await parts().getByRole("button", { name: "Secrets" }).click();
  await part("Secrets").getByRole("textbox", { name: "Name" }).fill("KEY");
  // The selected entry is centred in its box, wherever that is.
  const middles = await middlesOfChoices();
  expect(middles.length).toBeGreaterThan(0);
  for (const off of middles) expect(Math.abs(off)).toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await settings().waitFor({ state: "detached" });
});
