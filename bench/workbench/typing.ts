import type { Browser } from "playwright-core";
import type { RunningTreadle } from "../../e2e/support/treadle.ts";
import { openProject } from "./open-project.ts";

const KEYS = 150;

/**
 * Types into one file while the model writes another of 100 KB: from a key being pressed, as the browser notes it, until
 * its letter is in the editor, and until the frame with it is drawn.
 */
export async function measureTyping(browser: Browser, treadle: RunningTreadle): Promise<string[]> {
  const { page, id, close } = await openProject(browser, treadle);
  const put = await treadle.api(`/api/projects/${id}/files/notes.ts`, {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text: "export const a = 1;\n".repeat(200) }),
  });
  if (!put.ok) throw new Error(await put.text());
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByText("notes.ts", { exact: true }).first().click();
  const editor = page.getByRole("textbox", { name: "Text of notes.ts" });
  await editor.click();
  await page.evaluate(() => {
    const there: number[] = [];
    const drawn: number[] = [];
    let pressed: number | undefined;
    addEventListener("keydown", ({ timeStamp }) => (pressed = timeStamp), { capture: true });
    const text = document.querySelector(".cm-content[aria-label='Text of notes.ts']")!;
    new MutationObserver(() => {
      if (pressed === undefined) return;
      const from = pressed;
      pressed = undefined;
      there.push(performance.now() - from);
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => drawn.push(performance.now() - from));
        port1.start();
        port2.postMessage("drawn");
      });
    }).observe(text, { childList: true, characterData: true, subtree: true });
    Object.assign(globalThis, { typed: { there, drawn } });
  });
  const measure = async () => {
    for (let key = 0; key < KEYS; key++) {
      await page.keyboard.press("abcdefgh"[key % 8]!);
      await page.waitForTimeout(15);
    }
    return page.evaluate(() => {
      const { typed } = globalThis as unknown as { typed: Record<"there" | "drawn", number[]> };
      return { there: typed.there.splice(0), drawn: typed.drawn.splice(0) };
    });
  };
  const alone = await measure();
  const sent = await treadle.api(`/api/projects/${id}/messages`, {
    method: "POST",
    body: JSON.stringify({ text: "Show the tides" }),
  });
  if (!sent.ok) throw new Error(await sent.text());
  await page.getByText("tides.js").first().waitFor();
  const during = await measure();
  await close();
  return [
    `a key typed while 100 KB are streamed: ${spread(during.there)} until it is in the editor (aim 16 ms), ${spread(during.drawn)} until it is drawn`,
    `the same with nothing going on: ${spread(alone.there)}, ${spread(alone.drawn)}`,
  ];
}

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms`;
}
