import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@treadle/store";
import type { Browser } from "playwright-core";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";
import { fill } from "../log/long-project.ts";
import { framesText, watchFrames } from "./frames.ts";
import { heapOf } from "./heap.ts";

/** A message of the person and one of the model each. */
const TURNS = 500;
const PROJECT = "long";
const ROUNDS = 3;

/** Writes a project of 1,000 messages into a data folder that no server has open. */
export async function writeLongChat(data: string): Promise<void> {
  mkdirSync(join(data, "projects", PROJECT, "files"), { recursive: true });
  const store = await openStore({ directory: data });
  const now = Date.now();
  await store.projects.create({
    id: PROJECT,
    name: "Long",
    createdAt: now,
    updatedAt: now,
    capability: "abcdefghijklmnopqrstuvwxyz",
  });
  await fill(store, PROJECT, TURNS);
  await store.close();
}

/** Opens that project, and scrolls to its very beginning. */
export async function measureLongChat(
  browser: Browser,
  treadle: RunningTreadle,
): Promise<string[]> {
  const opened: number[] = [];
  const lines: string[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(treadle.address);
    const began = performance.now();
    await page.goto(`${treadle.origin}/p/${PROJECT}`, { waitUntil: "commit" });
    await page.getByText(`Change ${TURNS}: make it better`).first().waitFor();
    if (round > 0) opened.push(performance.now() - began);
    if (round === ROUNDS) {
      const heap = await heapOf(page);
      const stop = await watchFrames(page);
      const from = performance.now();
      await page.getByText("Change 1: make it better", { exact: true }).count();
      const steps = await page.evaluate(async () => {
        const box = document.querySelector<HTMLElement>(
          "section[aria-label='Conversation'] .overflow-y-auto",
        )!;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        let count = 0;
        for (let still = 0; still < 20 && count < 5_000; count++) {
          const { scrollTop, scrollHeight } = box;
          box.scrollBy(0, -2_000);
          await frame();
          // Where the earlier ones are asked for with a button, that is pressed.
          const more = [...box.querySelectorAll("button")].find(({ textContent }) =>
            /earlier/i.test(textContent),
          );
          if (box.scrollTop === 0) more?.click();
          still = box.scrollTop === scrollTop && box.scrollHeight === scrollHeight ? still + 1 : 0;
        }
        return count;
      });
      const ms = performance.now() - from;
      const frames = await stop();
      const full = await heapOf(page);
      const isThere = await page.getByText("Change 1: make it better", { exact: true }).count();
      lines.push(
        `scrolled to its first message (${isThere > 0 ? "seen" : "NOT SEEN"}) in ${steps} steps of 2,000 pixels, ${(ms / 1000).toFixed(1)} s: ${framesText(frames)}`,
        `the page's memory: ${heap.text} and ${heap.nodes} nodes when opened, ${full.text} and ${full.nodes} nodes at the first message`,
      );
    }
    await page.close();
  }
  const median = opened.toSorted((a, b) => a - b)[Math.floor(opened.length / 2)]!;
  return [
    `a chat of ${2 * TURNS} messages is shown ${median.toFixed(0)} ms after its address was asked for (aim 1,000 ms; ${opened.map((one) => one.toFixed(0)).join(" ")})`,
    ...lines,
  ];
}
