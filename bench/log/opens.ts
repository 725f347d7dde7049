import type { Page } from "playwright-core";

/** Milliseconds until a project's last message was shown, for each time that it was opened. */
export interface Opens {
  /** From a click in the project list of a loaded page. */
  inside: number[];
  /** From the arrival of the page's first code, after the address was entered. */
  byAddress: number[];
}

/** Opens each project several times, alternately; the first round of each does not count. */
export async function opensOf(
  page: Page,
  origin: string,
  rounds: number,
  projects: readonly { project: string; name: string; last: string }[],
): Promise<Opens[]> {
  const opened = projects.map((): Opens => ({ inside: [], byAddress: [] }));
  for (let round = 0; round <= rounds; round++)
    for (const [place, { project, name, last }] of projects.entries()) {
      const inside = await fromList(page, origin, name, last);
      const byAddress = await fromAddress(page, `${origin}/p/${project}`, last);
      if (round === 0) continue;
      opened[place]!.inside.push(inside);
      opened[place]!.byAddress.push(byAddress);
    }
  return opened;
}

async function fromList(page: Page, origin: string, name: string, last: string): Promise<number> {
  await page.goto(origin);
  const link = page.getByRole("link", { name }).first();
  // Like a person: the pointer rests on the link before the click.
  await link.hover();
  await page.evaluate((text) => {
    const marked = window as unknown as { shown: Promise<number> };
    marked.shown = new Promise((resolve) => {
      document.addEventListener(
        "click",
        () => {
          const began = performance.now();
          new MutationObserver((_, observer) => {
            if (!document.body.textContent.includes(text)) return;
            observer.disconnect();
            resolve(performance.now() - began);
          }).observe(document.body, { childList: true, subtree: true });
        },
        { capture: true, once: true },
      );
    });
  }, last);
  await link.click();
  return page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown);
}

async function fromAddress(page: Page, address: string, last: string): Promise<number> {
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
  await page.getByText(last).first().waitFor({ state: "attached" });
  return page.evaluate(() => {
    const [first] = (
      performance.getEntriesByType("resource") as PerformanceResourceTiming[]
    ).filter(({ initiatorType }) => initiatorType === "script");
    return performance.now() - (first?.responseEnd ?? 0);
  });
}
