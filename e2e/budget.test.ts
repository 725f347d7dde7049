import { loadScript, testScript } from "@treadle/scripted-model";
import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { page, person } = {} as Stage;

setStage({ script: loadScript(testScript("change")) }, async (stage) => {
  ({ page, person } = stage);
  await person.open();
});

it("a project that used up its budget stops, says so, and continues when the budget is raised", async () => {
  await person.ask("Build a small page");
  await person.sees("runs");
  await page.getByRole("button", { name: /^Project/ }).click();
  await page.getByRole("menuitem", { name: "Context and cost" }).click();
  const context = page.getByRole("dialog", { name: "What the model is shown" });
  await context.getByText("Treadle’s instructions").waitFor();
  await context.getByText("Conversation and edits").waitFor();
  await picture(page, "context");
  await context.getByRole("button", { name: "Summarize now" }).click();
  await context.getByText("It is already short").waitFor();
  await context.getByRole("button", { name: "Close" }).click();
  const settings = async (tokens: string) => {
    await page.getByRole("button", { name: /^Project/ }).click();
    await page.getByRole("menuitem", { name: "Project settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByRole("textbox", { name: "Tokens in all" }).fill(tokens);
    await dialog.getByRole("button", { name: "Set the budget" }).click();
    return dialog;
  };
  const dialog = await settings("500");
  await dialog.getByRole("meter").waitFor();
  expect(await dialog.getByRole("meter").getAttribute("aria-valuenow")).toBe("100");
  await picture(page, "budget");
  await page.keyboard.press("Escape");
  await person.sendMessage("Make it another colour");
  const conversation = page.getByLabel("Conversation");
  await conversation.getByText("Budget reached").waitFor();
  await conversation.getByText(/The project's budget of 500 tokens is used up/).waitFor();
  await settings("");
  await page.keyboard.press("Escape");
  await conversation.getByRole("button", { name: "Continue" }).click();
  await person.sees("runs");
});
