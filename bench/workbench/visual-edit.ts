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
  await person.sees("verified");
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
  const taken: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const words = `Said ${round}`;
    await text.fill(words);
    const shown = element.evaluate(
      (_node, wanted) =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (document.querySelector(".said")?.textContent !== wanted) return;
            observer.disconnect();
            requestAnimationFrame(() => resolve(Date.now()));
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { childList: true, characterData: true, subtree: true });
        }),
      words,
    );
    await page.evaluate(() =>
      addEventListener("keydown", () => Object.assign(globalThis, { pressedAt: Date.now() }), {
        capture: true,
        once: true,
      }),
    );
    await page.keyboard.press("Enter");
    const at = await shown;
    const from = await page.evaluate(
      () => (globalThis as unknown as { pressedAt: number }).pressedAt,
    );
    taken.push(at - from);
  }
  await page.close();
  const median = taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]!;
  return [
    `an element's words changed in the preview are seen after ${median} ms (aim 150 ms; ${taken.join(" ")})`,
  ];
}
