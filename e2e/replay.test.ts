import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, context } = {} as Stage;

setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ page, person, context } = stage);
});

/** What of the clock is on the page is not the same a moment later. */
const CLOCK = /\b(?:now|just now|\d+ (?:s|sec|min|h|seconds?|minutes?|hours?)\b(?: ago)?)/g;

/** A long text is cut in a log that is read anew, and had as a whole when it is asked for. */
const LONG = /^ *- text: .{900,}$(?:\n *- button "Show all of it")?/gm;

/** The page as one who cannot see it is told it, and what its lines hold when each is opened. */
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

it("a recorded log that is replayed gives the page that was seen live", async () => {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await page.locator("article").getByText("The page is there.").waitFor();
  const live = await shownOf(page);
  expect(live.join("\n")).toContain("Build a page");
  // Another window knows the log alone, as it is kept: what was streamed in pieces is whole there.
  const other = await context.newPage();
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto(page.url());
  await other.locator("article").getByText("The page is there.").waitFor();
  await expect.poll(() => shownOf(other)).toEqual(live);
}, 120_000);
