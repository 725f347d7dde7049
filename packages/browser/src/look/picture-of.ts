import type { Page } from "playwright-core";

/** Maximum size of a picture, in bytes; base64 in a request adds a third. */
const PICTURE_BYTES = 1_000_000;
/** Time limit for one picture, in milliseconds. */
const PICTURE_MS = 5_000;

/** A JPEG of what a person sees without scrolling. Undefined if the page cannot be pictured. */
export async function pictureOf(page: Page): Promise<Uint8Array | undefined> {
  for (const quality of [75, 40]) {
    const bytes = await page
      .screenshot({ type: "jpeg", quality, scale: "css", timeout: PICTURE_MS })
      .catch(() => undefined);
    if (bytes === undefined || bytes.length <= PICTURE_BYTES) return bytes;
  }
  return undefined;
}
