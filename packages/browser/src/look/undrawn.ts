import type { Page } from "playwright-core";

/** Time limit for the page's answer, in milliseconds. */
const ASK_MS = 3_000;

/**
 * Draws each distinct non-ASCII character of the page, up to a limit, and compares it with a code
 * point that no font has: an equal picture is a box.
 */
const FIND = `() => {
  const LOOKED_AT = 400, NAMED = 8, SIZE = 24;
  const text = (document.body?.innerText ?? "").slice(0, 50_000);
  const found = [...new Set(text.match(/[\\p{L}\\p{So}]/gu) ?? [])].filter((one) => one.codePointAt(0) > 127);
  if (found.length === 0) return [];
  const canvas = new OffscreenCanvas(SIZE, SIZE);
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const draw = (one) => {
    brush.clearRect(0, 0, SIZE, SIZE);
    brush.font = "16px " + getComputedStyle(document.body).fontFamily;
    brush.fillText(one, 2, 18);
    return brush.getImageData(0, 0, SIZE, SIZE).data.join();
  };
  const box = draw("\\u{10fffe}");
  return found.slice(0, LOOKED_AT).filter((one) => draw(one) === box).slice(0, NAMED);
}`;

/**
 * Some characters of the page for which this browser has no font, so that its picture shows boxes.
 */
export async function undrawnOf(page: Page): Promise<string[]> {
  const asked = page.evaluate<unknown>(`(${FIND})()`).catch(() => []);
  const late = new Promise<unknown>((done) => setTimeout(() => done([]), ASK_MS).unref());
  const found = await Promise.race([asked, late]);
  // The page's scripts may have replaced the functions, so the result is checked.
  return Array.isArray(found)
    ? found.filter((one) => typeof one === "string" && [...one].length === 1).slice(0, 8)
    : [];
}
