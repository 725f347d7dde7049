import type { Page } from "playwright-core";
import { readPng, spread, type Box, type Pixels } from "./png.ts";
import { APART, READABLE } from "./read-page.ts";

/** Milliseconds for one picture. */
const PICTURE_MS = 10_000;
/** So far down a page is pictured. */
const DEPTH = 4_000;
/** A framework's own are no part of what the app shows. */
const HIDE =
  "vite-error-overlay, nextjs-portal, #webpack-dev-server-client-overlay { display: none !important }";

/**
 * Whether a picture of the page shows more than one colour: a canvas, a frame, a ground, a closed shadow; and whether
 * what stands in each box can be told from what is around it (undefined: it is not in the picture). Undefined where no picture can be taken.
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
