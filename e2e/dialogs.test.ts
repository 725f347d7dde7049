import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle } = {} as Stage;
const chat = scriptNamed("chat");
const names = Array.from({ length: 14 }, (_, at) => `model-${at}`);
const script = Object.fromEntries(["scripted", ...names].map((name) => [name, chat]));
setStage({ script }, async (stage) => {
  ({ page, person, treadle } = stage);
  await person.open();
  await person.ask("Build a shopping list");
  await person.sees("runs");
});

const dialog = (name: string) => page.getByRole("dialog", { name });
const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
const hasFocus = (what: Locator) =>
  expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);

/** Writes like an external editor. */
async function write(text: string): Promise<void> {
  const file = `/api/projects/${person.projectId()}/files/index.html`;
  const { version } = (await (await treadle.api(file)).json()) as { version: string };
  const headers = { "if-match": `"${version}"` };
  await treadle.api(file, { method: "PUT", headers, body: JSON.stringify({ text }) });
}

describe("a dialog puts the focus where the user continues", () => {
  it("on its first field", async () => {
    await press("Share");
    await hasFocus(dialog("Share").getByRole("radio", { name: /The running app/ }));
    await page.keyboard.press("Escape");
    await press("Publish");
    await hasFocus(dialog("Publish").getByRole("textbox", { name: "Name (optional)" }));
    await page.keyboard.press("Escape");
    await hasFocus(page.getByRole("button", { name: "Publish", exact: true }));
  });

  it("on itself without a field or a main action, rather than on Close", async () => {
    await page.getByRole("button", { name: "History" }).focus();
    await page.keyboard.press("?");
    await hasFocus(dialog("Keyboard shortcuts"));
    await page.keyboard.press("Tab");
    await hasFocus(dialog("Keyboard shortcuts").getByRole("button", { name: "Close" }));
    await page.keyboard.press("Escape");
    await hasFocus(page.getByRole("button", { name: "History" }));
  });

  it("keeps it while the window becomes narrow and wide again", async () => {
    await press("Share");
    const password = dialog("Share").getByLabel("Password (optional)");
    await password.fill("a long secret");
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = page.getByRole("separator").first();
      await wide.waitFor({ state: width === 390 ? "detached" : "attached" });
      await hasFocus(password);
    }
    expect(await password.inputValue()).toBe("a long secret");
    await page.keyboard.press("Escape");
  });
});

it("says in advance what cannot be published, with a link to the solution", async () => {
  await write("<script>throw new Error('broken by hand')</script>");
  await person.sees("unverified");
  await press("Publish");
  const publish = dialog("Publish").getByRole("button", { name: "Publish", exact: true });
  const why = dialog("Publish").getByText("Only what was seen to work can be published.");
  await why.waitFor();
  expect(await publish.isDisabled()).toBe(true);
  await dialog("Publish").getByRole("button", { name: "Check now" }).press("Enter");
  await dialog("Publish").getByRole("button", { name: "Fix problems" }).waitFor();
  await picture(page, "publish-not-verified");
  expect(await problemsOf(page)).toEqual([]);
  await write("<h1>Mended by hand</h1>");
  await dialog("Publish").getByRole("button", { name: "Check now" }).press("Enter");
  await why.waitFor({ state: "detached" });
  expect(await publish.isEnabled()).toBe(true);
});

it("a header button that disappears when pressed passes the focus to its result", async () => {
  await page.keyboard.press("Escape");
  await write("<h1>Changed by hand</h1>");
  await person.sees("unverified");
  await press("Check now");
  await hasFocus(page.locator('[data-part="install"]'));
  await person.sees("runs");
});

it("finds one of many models by its name, with the keyboard only", async () => {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Model: scripted" }).press("Enter");
  await hasFocus(dialog("Model").getByRole("searchbox", { name: "Look for a model" }));
  await page.keyboard.type("nothing");
  await dialog("Model").getByText("None of the listed models is called so.").waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  // These letters also occur in “model-1” and “model-2”.
  await page.keyboard.type("model 12");
  await expect
    .poll(() => dialog("Model").getByRole("listitem").allInnerTexts())
    .toEqual(["model-12"]);
  await picture(page, "model-search");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Model: model-12" }).waitFor();
});
