import type { Browser } from "playwright-core";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";
import { framesText, watchFrames } from "./frames.ts";
import { heapOf } from "./heap.ts";
import { openProject } from "./open-project.ts";

const BYTES = 100_000_000;
const LINES = 100_000;

/** 100 MB printed into a terminal, and 100,000 lines kept: how the page keeps up, and what it holds. */
export async function measureOutput(browser: Browser, treadle: RunningTreadle): Promise<string[]> {
  const { page, close } = await openProject(browser, treadle);
  await page.getByRole("button", { name: "Terminal" }).click();
  const rows = page.locator(".xterm-rows");
  await rows.filter({ hasText: "$" }).waitFor();
  const run = async (command: string) => {
    await page.keyboard.type(`${command}; echo; echo all-$((5 * 5))`);
    await page.keyboard.press("Enter");
    await page
      .locator(".xterm-rows > div")
      .filter({ hasText: /^all-25/ })
      // A screen that fell behind is redrawn row by row: for a moment the line is shown twice.
      .first()
      .waitFor({ timeout: 300_000 });
  };
  const before = await heapOf(page);
  const stop = await watchFrames(page);
  const began = performance.now();
  await run(`clear; yes 'one of very many lines of output' | head -c ${BYTES}`);
  const seconds = (performance.now() - began) / 1000;
  const frames = await stop();
  const after = await heapOf(page);
  await page.keyboard.type("clear");
  await page.keyboard.press("Enter");
  await run(`printf '\\033c'; seq 1 ${LINES}`);
  const lines = await heapOf(page);
  await close();
  return [
    `100 MB of terminal output in ${seconds.toFixed(1)} s: ${framesText(frames)} (aim 30 frames a second)`,
    `the page's memory: ${before.text} before, ${after.text} with the last of it, ${lines.text} with ${LINES} lines of numbers`,
  ];
}
