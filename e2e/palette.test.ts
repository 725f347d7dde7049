import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle } = {} as Stage;
setStage({ script: scriptNamed("page") }, async (stage) => {
  ({ page, person, treadle } = stage);
  await treadle.api("/api/projects", { method: "POST", body: "{}" });
  await person.open();
});

const palette = () => page.getByRole("dialog", { name: "Commands" });
const field = () => palette().getByRole("combobox");
const options = () => palette().getByRole("option");
const chosen = () => palette().locator('[role=option][aria-selected="true"]');
/** The name of the option that Enter would choose. */
const expectChosen = () => expect.poll(() => chosen().textContent());
const message = () => page.getByRole("textbox", { name: "Say what to change" });
const focusIs = (name: string) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""))
    .toBe(name);

async function sound(on: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await on.emulateMedia({ colorScheme });
    await expect
      .poll(() => problemsOf(on, colorScheme === "dark" ? "colours" : "all"), {
        message: colorScheme,
      })
      .toEqual([]);
    await picture(on, `${name}-${colorScheme}`);
  }
}

describe("on the first page", () => {
  it("takes in what is typed right after its keys, the first time as well", async () => {
    const loaded = ["overlays", "later"].map((name) =>
      page.waitForResponse((answer) => answer.url().includes(`/${name}-`)),
    );
    await page.keyboard.down("Control");
    for (const one of loaded) await (await one).finished();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
    await page.keyboard.type("drkthm");
    await expect.poll(() => field().inputValue()).toBe("drkthm");
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
    await focusIs("What shall we build?");
  });

  it("opens with Ctrl+K while a prompt is typed; the prompt is kept and gets the focus back", async () => {
    await page.keyboard.type("A page");
    await page.keyboard.press("Control+k");
    await field().waitFor();
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
    await focusIs("What shall we build?");
    expect(await page.getByRole("textbox").inputValue()).toBe("A page");
  });

  it("runs what is chosen by keyboard, and lists it first the next time", async () => {
    await page.keyboard.press("Control+Shift+P");
    await field().waitFor();
    await page.keyboard.type("drkthm");
    await expectChosen().toContain("Dark theme");
    await page.keyboard.press("Enter");
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.keyboard.press("Control+k");
    await palette().getByRole("group", { name: "Recent" }).waitFor();
    await expectChosen().toContain("Dark theme");
    await page.keyboard.press("ArrowDown");
    await expectChosen().not.toContain("Dark theme");
    await page.keyboard.press("ArrowUp");
    await expectChosen().toContain("Dark theme");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => options().last().getAttribute("aria-selected")).toBe("true");
    await field().fill("no such thing at all");
    await palette().getByText("Nothing has that name.").waitFor();
    await field().fill("system theme");
    await expectChosen().toContain("System theme");
    await page.keyboard.press("Enter");
    await page.locator("html:not([data-theme])").waitFor();
  });

  it("goes to a project", async () => {
    await page.keyboard.press("Control+k");
    await field().fill("new project");
    await expectChosen().toMatch(/new project/i);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/p\//);
    await page.goBack();
    await page.getByRole("textbox", { name: "What shall we build?" }).waitFor();
  });
});

describe("in a project", () => {
  it("lists the available commands with their keys, accessibly", async () => {
    await page.getByRole("textbox", { name: "What shall we build?" }).fill("Build a page");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/p\//);
    await person.sees("runs");
    await message().focus();
    await page.keyboard.press("Control+k");
    await field().fill("preview");
    await palette()
      .getByRole("option", { name: /Reload the preview P R/ })
      .waitFor();
    expect(
      await palette()
        .getByRole("option", { name: /Stop the turn/ })
        .count(),
    ).toBe(0);
    await sound(page, "palette");
    await page.setViewportSize({ width: 390, height: 844 });
    await sound(page, "palette-phone");
    await page.setViewportSize({ width: 1440, height: 900 });
    await field().fill("show the code");
    await expectChosen().toContain("Show the code");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Code", selected: true }).waitFor();
  });

  it("goes to a file with Ctrl+P", async () => {
    await page.keyboard.press("Control+p");
    await field().fill("inde");
    await expectChosen().toContain("index.html");
    await page.keyboard.press("Enter");
    await page.locator("[data-tab]", { hasText: "index.html" }).waitFor();
  });

  describe("keys", () => {
    beforeEach(async () => {
      await message().fill("");
      await page.getByRole("button", { name: /^Project/ }).focus();
    });

    it("run their commands while nobody types", async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("p");
      await page.getByRole("tab", { name: "Preview", selected: true }).waitFor();
      await page.keyboard.press("/");
      await focusIs("Say what to change");
      expect(await message().inputValue()).toBe("");
      await page.keyboard.press("Control+Backquote");
      await page.getByRole("button", { name: "Terminal", pressed: true }).waitFor();
      await page.keyboard.press("Control+Backquote");
      await page.getByRole("button", { name: "Terminal", pressed: false }).waitFor();
    });

    it("are text in a field, and ignored during composition", async () => {
      await message().focus();
      await page.keyboard.type("g c ? /");
      expect(await message().inputValue()).toBe("g c ? /");
      await page.getByRole("tab", { name: "Preview", selected: true }).waitFor();
      const client = await page.context().newCDPSession(page);
      await client.send("Input.imeSetComposition", {
        selectionStart: 2,
        selectionEnd: 2,
        text: "か",
      });
      await client.send("Input.dispatchKeyEvent", {
        type: "keyDown",
        key: "k",
        code: "KeyK",
        modifiers: 2,
        windowsVirtualKeyCode: 229,
      });
      expect(await palette().count()).toBe(0);
      await client.send("Input.insertText", { text: "か" });
      await page.keyboard.press("Control+k");
      await field().waitFor();
      await page.keyboard.press("Control+k");
      await palette().waitFor({ state: "detached" });
    });

    it("are all listed with ?, and single letters can be switched off", async () => {
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await sheet.getByText("Show the preview").waitFor();
      await sound(page, "shortcuts");
      await sheet.getByRole("switch", { name: "Keys without Ctrl or Cmd" }).uncheck();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      await page.getByRole("button", { name: /^Project/ }).focus();
      await page.keyboard.press("g");
      await page.keyboard.press("c");
      await page.keyboard.press("Control+k");
      await field().waitFor();
      await page
        .getByRole("tab", { name: "Preview", selected: true, includeHidden: true })
        .waitFor();
      await field().fill("keyboard shortcuts");
      await expectChosen().toMatch(/keyboard shortcuts/i);
      await page.keyboard.press("Enter");
      await sheet.getByRole("switch", { name: "Keys without Ctrl or Cmd" }).check();
      await page.keyboard.press("Escape");
    });
  });
});
