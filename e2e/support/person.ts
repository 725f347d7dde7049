import type { FrameLocator, Page } from "playwright-core";
import type { RunningTreadle } from "./treadle.ts";

/** What a person does at the page, by the names that a person reads. */
export function personAt(page: Page, treadle: RunningTreadle) {
  const verdict = () => page.getByRole("status").and(page.locator("[data-verdict]"));
  return {
    /** The first page, in the language that the heading is of. */
    async open(heading = "What shall we build?"): Promise<void> {
      await page.goto(treadle.address);
      await page.getByRole("textbox", { name: heading }).waitFor();
    },
    /** Types a sentence on the first page and sends it with Enter. */
    async ask(sentence: string): Promise<void> {
      await page.getByRole("textbox", { name: "What shall we build?" }).fill(sentence);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/p\//);
    },
    /** Sends another message, on the project's page. */
    async sendMessage(sentence: string): Promise<void> {
      const field = page.getByRole("textbox", { name: "Say what to change" });
      await field.fill(sentence);
      await field.press("Enter");
    },
    /** Waits until the header's chip shows it. */
    async sees(
      state: "verified" | "runs" | "failed" | "unverified" | "working",
      timeout = 120_000,
    ): Promise<void> {
      await verdict()
        .and(page.locator(`[data-verdict="${state}"]`))
        .waitFor({ timeout });
    },
    /** The running app, inside the page. */
    preview: (): FrameLocator => page.frameLocator('iframe[title="Preview of the app"]'),
    tab: (name: "Preview" | "Code" | "Changes") => page.getByRole("tab", { name }).click(),
    projectId: () => /\/p\/([^/?#]+)/.exec(page.url())![1]!,
  };
}
