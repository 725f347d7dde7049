import type { Page } from "playwright-core";
import { readPng, spread, type Box, type Pixels } from "./png.ts";
import { APART, READABLE } from "./read-page.ts";

/** Time limit for one picture, in milliseconds. */
const PICTURE_MS = 10_000;
/** Height of the part of a page that is pictured, in CSS pixels. */
const DEPTH = 4_000;
/** Hides a framework's own elements, which are not part of the app. */
const HIDE =
  "vite-error-overlay, nextjs-portal, #webpack-dev-server-client-overlay { display: none !important }";

/**
 * Whether a picture of the page has more than one colour, which covers canvases, frames,
 * backgrounds and closed shadow roots; and whether the content of each box differs from its
 * surroundings (undefined: outside of the picture). Undefined if no picture can be taken.
 */
export async function isDrawn(
  page: Page,
  boxes: Box[],
): Promise<{ page: boolean; boxes: (boolean | undefined)[] } | undefined> {
  const width = page.viewportSize()?.width ?? 0;
  const lowest = Math.max(0, ...boxes.map(({ y, height }) => y + height));
  const height = Math.min(DEPTH, Math.max(page.viewportSize()?.height ?? 0, Math.ceil(lowest)));
  try {
    const picture = readPng(
      await page.screenshot({
        type: "png",
        scale: "css",
        style: HIDE,
        fullPage: true,
        clip: { x: 0, y: 0, width, height },
        timeout: PICTURE_MS,
      }),
    );
    return {
      page: spread(picture) > APART,
      boxes: boxes.map((box) =>
        isWithin(box, picture) ? spread(picture, box) > READABLE : undefined,
      ),
    };
  } catch {
    return undefined;
  }
}

const isWithin = ({ x, y, ...box }: Box, { width, height }: Pixels) =>
  x + box.width > 0 && x < width && y + box.height > 0 && y < height;
