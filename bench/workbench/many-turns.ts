import type { Browser } from "playwright-core";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";
import { heapOf, type Heap } from "./heap.ts";
import { openProject } from "./open-project.ts";

const TURNS = 200;
const LOOKED_AT = [20, 110, 200];

/** 200 turns while the page is open: what it holds after some of them, and after all. */
export async function measureManyTurns(
  browser: Browser,
  treadle: RunningTreadle,
): Promise<string[]> {
  const { page, id, close } = await openProject(browser, treadle);
  const seen: Heap[] = [];
  for (let turn = 1; turn <= TURNS; turn++) {
    const sent = await treadle.api(`/api/projects/${id}/messages`, {
      method: "POST",
      body: JSON.stringify({ text: `Question ${turn}: show markdown` }),
    });
    if (!sent.ok) throw new Error(await sent.text());
    await page
      .locator("article")
      .filter({ hasText: `Question ${turn}: show markdown` })
      .getByText("That is all there is")
      .waitFor();
    if (LOOKED_AT.includes(turn)) seen.push(await heapOf(page));
  }
  await close();
  const [first, second, last] = seen;
  const each = (last!.bytes - second!.bytes) / (LOOKED_AT[2]! - LOOKED_AT[1]!) / 1000;
  return [
    `the page's memory over ${TURNS} turns: ${seen.map(({ text, nodes }, index) => `${text} and ${nodes} nodes after ${LOOKED_AT[index]}`).join(", ")}`,
    `that is ${each.toFixed(1)} KB for each of the last 90 turns, ${(last!.bytes / first!.bytes).toFixed(2)} × what it was after 20 (aim: flat)`,
  ];
}
