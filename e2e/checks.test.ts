import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { treadle, page, person } = {} as Stage;

const script = {
  scripted: scriptNamed("lost-task"),
  cheat: scriptNamed("turned-off-check"),
};
setStage({ script }, async (stage) => {
  ({ treadle, page, person } = stage);
  await person.open();
});

it("a page that renders well but loses what was typed fails its own check, and is repaired", async () => {
  await page
    .getByRole("textbox", { name: "What shall we build?" })
    .fill("A list that is still there after a reload");
  await page.keyboard.press("Enter");
  await person.sees("verified");
  const conversation = page.getByLabel("Conversation");
  await conversation.getByText("Looked: the check “Keeps an item” failed").click();
  await conversation.getByText('✗ expect listitem "Milk": it is not there').first().waitFor();
  await conversation.getByText("1 check passed").first().waitFor();
  await picture(page, "check-repaired");
});

it("a user adds a check, and has the app looked at again", async () => {
  await page.getByRole("button", { name: /^Project/ }).click();
  await page.getByRole("menuitem", { name: "Checks" }).click();
  const list = page.getByRole("dialog", { name: "Checks" });
  await list.getByText("Keeps an item").waitFor();
  const add = async (name: string, steps: string) => {
    await list.getByRole("button", { name: "Add a check" }).click();
    await list.getByRole("textbox", { name: "Name of the check" }).fill(name);
    await list.getByRole("textbox", { name: "Steps" }).fill(steps);
    await list.getByRole("button", { name: "Save" }).click();
    await list.getByRole("button", { name: `Edit “${name}”` }).waitFor();
  };
  await add("Greets", '- expect heading "Hello"');
  await add("Says nothing", "- open /");
  // An invalid step is marked before it is saved.
  await list.getByRole("button", { name: "Edit “Greets”" }).click();
  await list.getByRole("textbox", { name: "Steps" }).fill("- greets");
  await list.getByRole("alert").getByText("This is no step.").waitFor();
  await list.getByRole("textbox", { name: "Steps" }).fill('- expect heading "Welcome"');
  await list.getByRole("button", { name: "Save" }).click();
  await list.getByRole("button", { name: "Delete “Says nothing”" }).click();
  await list.getByText("Says nothing").waitFor({ state: "detached" });
  await picture(page, "checks-list");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, "checks-list-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole("button", { name: "Open the file" }).click();
  const editor = page.getByRole("textbox", { name: /checks\.md/ });
  await editor.getByText('expect heading "Welcome"').waitFor();
  await page.getByRole("button", { name: /^Project/ }).click();
  await page.getByRole("menuitem", { name: "Checks" }).click();
  await list.getByRole("button", { name: "Run all" }).click();
  await list.getByText('✗ expect heading "Welcome"').waitFor();
  // Running one check leaves the results of the others unchanged.
  const runOne = page.waitForRequest((request) => request.url().includes("/check?only=Greets"));
  await list.getByRole("button", { name: "Run “Greets”" }).click();
  await runOne;
  await list.getByRole("button", { name: "Run “Greets”", disabled: true }).waitFor();
  await list.getByRole("button", { name: "Run “Greets”", disabled: false }).waitFor();
  await page.keyboard.press("Escape");
  await person.sees("failed");
  await page.getByRole("button", { name: "Checks: failed" }).click();
  await page.getByText('✗ expect heading "Welcome"').waitFor();
  await picture(page, "check-failed");
  await page.keyboard.press("Escape");
  const { evidence } = await (await treadle.api(`/api/projects/${person.projectId()}`)).json();
  expect(
    evidence.checks.map(({ name, state }: { name: string; state: string }) => [name, state]),
  ).toEqual([
    ["Keeps an item", "held"],
    ["Greets", "failed"],
  ]);

  // What a user broke is repaired from the same page.
  await page.getByRole("button", { name: "Fix problems" }).click();
  await conversationSays(/Fix the problems found\./);
  await person.sees("verified");
  await person.tab("Preview");
  await person.preview().getByRole("heading", { name: "Welcome" }).waitFor();
});

const conversationSays = (words: RegExp) =>
  page.getByLabel("Conversation").getByText(words).first().waitFor();

it("removing a check does not count as proof: the user is told, and decides whether it may be removed", async () => {
  const made = await treadle.api("/api/projects", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt: "Build it", model: "openai-compatible:cheat" }),
  });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`${treadle.origin}/p/${id}`);
  await person.sees("unverified");
  await conversationSays(/The check “Adds a thing” was removed by the model and fails as it stood/);
  await picture(page, "check-taken-away");
  await page.getByRole("button", { name: "Use the checks as they are now" }).click();
  await person.sees("runs");
});
