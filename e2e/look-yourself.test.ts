import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** A user judges what no check can, by the page before and after the turn. */
let { model, treadle, page, person } = {} as Stage;

setStage({ script: scriptNamed("by-eye") }, async (stage) => {
  ({ model, treadle, page, person } = stage);
  await person.open();
  await person.ask("Make a page for notes");
  await person.sees("runs");
});

const result = () => page.getByRole("region", { name: "Result" });

it("shows the page before and after, and is verified by the person's word", async () => {
  await person.sendMessage("Make it dark");
  await person.sees("runs");
  await result().getByText("Look at it yourself").waitFor();
  await result()
    .getByRole("img", { name: /before/ })
    .waitFor();
  await result().getByRole("img", { name: /now/ }).waitFor();
  await picture(page, "look-yourself");
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, "look-yourself-phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked = model.requests.length;
  await result().getByRole("button", { name: "It is as I wanted" }).click();
  await person.sees("verified");
  await result().getByText("Verified", { exact: false }).first().waitFor();
  expect(await result().getByRole("button", { name: "It is as I wanted" }).count()).toBe(0);
  // The list of projects shows the same word, and no model was asked.
  const projects = await (await treadle.api("/api/projects")).json();
  expect(JSON.stringify(projects)).toContain('"verdict":"verified"');
  expect(model.requests.length).toBe(asked);
});
