import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, context } = {} as Stage;

setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ page, person, context } = stage);
});

/** Text of the page that depends on the clock changes a moment later. */
const CLOCK = /\b(?:now|just now|\d+ (?:s|sec|min|h|seconds?|minutes?|hours?)\b(?: ago)?)/g;

/** A long text is shortened in a reloaded log, and loaded completely on request. */
const LONG = /^ *- text: .{900,}$(?:\n *- button "Show all of it")?/gm;

/** The accessibility tree of the page, and the content of its lines when opened. */
async function shownOf(one: Page): Promise<string[]> {
  const conversation = one.getByRole("region", { name: "Conversation" });
  const lines = conversation.locator("article button[aria-expanded='false']:not([aria-haspopup])");
  while ((await lines.count()) > 0) await lines.first().click();
  const regions = [
    conversation.locator("article"),
    one.getByRole("banner"),
    one.getByRole("group", { name: "Evidence" }),
  ];
  const shown: string[] = [];
  for (const region of regions)
    for (const part of await region.all()) shown.push(await part.ariaSnapshot());
  return shown.map((text) => text.replaceAll(CLOCK, "(time)").replaceAll(LONG, "(long)"));
}

it("replaying a recorded log shows the same page as live", async () => {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await page.locator("article").getByText("The page is there.").waitFor();
  const live = await shownOf(page);
  expect(live.join("\n")).toContain("Build a page");
  // Another window knows only the stored log, in which streamed pieces are joined.
  const other = await context.newPage();
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto(page.url());
  await other.locator("article").getByText("The page is there.").waitFor();
  await expect.poll(() => shownOf(other)).toEqual(live);
}, 120_000);
