import type { Browser, Page } from "playwright-core";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";

/** A new project in a page of its own. */
export async function openProject(
  browser: Browser,
  treadle: RunningTreadle,
): Promise<{ page: Page; id: string; close(): Promise<void> }> {
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(treadle.address);
  await page.goto(`${treadle.origin}/p/${id}`);
  await page.getByRole("textbox", { name: "Say what to change" }).waitFor();
  return {
    page,
    id,
    async close() {
      await page.close();
      await treadle.api(`/api/projects/${id}/stop`, { method: "POST", body: "{}" });
      await treadle.api(`/api/projects/${id}`, { method: "DELETE" });
    },
  };
}
