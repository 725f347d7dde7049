import type { Browser } from "playwright-core";
import { personAt } from "../../e2e/support/person.ts";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";

const ROUNDS = 9;
const APP = `export function App() {
  return (
    <main>
      <p className="said">Said 0</p>
    </main>
  );
}
`;

/** An element of the running app gets other words: from the key that keeps them until the app shows them. */
export async function measureVisualEdit(
  browser: Browser,
  treadle: RunningTreadle,
): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  const person = personAt(page, treadle);
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  const address = `/api/projects/${person.projectId()}/files/src/App.tsx`;
  const { version } = (await (await treadle.api(address)).json()) as { version: string };
  await treadle.api(address, {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text: APP }),
  });
  const element = person.preview().locator(".said");
  await element.getByText("Said 0").waitFor();
  await page.getByRole("button", { name: "Select an element" }).click();
  await element.click();
  const text = page
    .getByRole("region", { name: "Selected element" })
    .getByLabel("Text", { exact: true });
  const seen: number[] = [];
  const written: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const words = `Said ${round}`;
    await element.evaluate((node, expected) => {
      const shown = new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector(".said")?.textContent !== expected) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(Date.now()));
        });
        const body = node.ownerDocument.body;
        observer.observe(body, { childList: true, characterData: true, subtree: true });
      });
      Object.assign(globalThis, { shown });
    }, words);
    await page.evaluate(() =>
      addEventListener("input", () => Object.assign(globalThis, { typedAt: Date.now() }), {
        capture: true,
        once: true,
      }),
    );
    await text.fill(words);
    const at = await element.evaluate(() => (globalThis as unknown as { shown: number }).shown);
    const from = await page.evaluate(() => (globalThis as unknown as { typedAt: number }).typedAt);
    seen.push(at - from);
    const began = performance.now();
    await page.keyboard.press("Enter");
    while (!(await (await treadle.api(address)).text()).includes(words));
    written.push(performance.now() - began);
  }
  await page.close();
  const median = (values: number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(0);
  return [
    `an element's words changed in the panel are seen in the preview after ${median(seen)} ms (aim 150 ms; ${seen.join(" ")}), and are in its source ${median(written)} ms after Enter`,
  ];
}
