import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, page, person } = {} as Stage;

setStage({ script: scriptNamed("todo") }, (stage) => {
  ({ model, page, person } = stage);
});

const list = () => page.getByRole("region", { name: "To do" });
const box = (name: string) => list().getByRole("checkbox", { name });

it("a user changes the to-do list during a run; it survives a reload, and is sent to the model", async () => {
  await person.open();
  await person.ask("A page with two parts");
  await page.getByText("Which colour?").waitFor();
  await list().getByText("0 of 2 done").waitFor();
  await box("The footer").check();
  await list().getByText("1 of 2 done").waitFor();
  await list().getByRole("textbox", { name: "Add to the list" }).fill("The colour");
  await page.keyboard.press("Enter");
  await list().getByText("1 of 3 done").waitFor();
  await list().getByRole("button", { name: "The heading" }).first().click();
  await list().getByRole("textbox", { name: "The words" }).fill("The big heading");
  await page.keyboard.press("Enter");
  await box("The big heading").waitFor();
  await list().getByRole("button", { name: "Remove: The colour" }).click();
  await list().getByText("1 of 2 done").waitFor();
  await picture(page, "todo-1440");

  await page.reload();
  await list().getByText("1 of 2 done").waitFor();
  expect(await box("The footer").isChecked()).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "todo-390-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await list()
    .getByRole("button", { name: /^To do/ })
    .click();
  await picture(page, "todo-390");
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Blue", exact: true }).click();
  await person.sees("runs");
  const turn = page.getByRole("article").last();
  await turn.getByText("There is a page with a heading.").waitFor();
  await picture(page, "todo-finished-1440");
  const sentText = JSON.stringify(model.requests.at(-1)?.body);
  expect(sentText).toContain("- [>] The big heading");
  expect(sentText).toContain("- [x] The footer");
  expect(sentText).not.toContain("The colour");
});
