import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page } = {} as Stage;

setStage({ script: scriptNamed("improve") }, async (stage) => {
  ({ page } = stage);
  await page.goto(stage.treadle.address);
});

const field = () => page.getByRole("textbox", { name: "What shall we build?" });
const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("improving a prompt", () => {
  it("rewrites it in the field, and can restore the user's own text", async () => {
    await field().fill("todo app");
    await button("Improve").click();
    await expect
      .poll(() => field().inputValue())
      .toMatch(/^A todo list .* stays in the browser\.$/);
    await button("Undo").waitFor();
    await picture(page, "improved");
    await button("Undo").click();
    expect(await field().inputValue()).toBe("todo app");
    expect(await button("Undo").count()).toBe(0);
  });

  it("keeps the user's text and gives the reason if the model fails", async () => {
    await field().fill("todo app, again");
    await button("Improve").click();
    await page.getByRole("alert").filter({ hasText: "overloaded" }).waitFor();
    expect(await field().inputValue()).toBe("todo app, again");
  });
});
