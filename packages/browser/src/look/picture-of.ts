import type { Page } from "playwright-core";

/** Bytes of a picture: as base64 in a request they are a third more. */
const PICTURE_BYTES = 1_000_000;
/** Milliseconds for one picture. */
const PICTURE_MS = 5_000;

/** What a person would see without scrolling, as JPEG. A page that cannot be pictured is told of in words alone. */
export async function pictureOf(page: Page): Promise<Uint8Array | undefined> {
  for (const quality of [75, 40]) {
    const bytes = await page
      .screenshot({ type: "jpeg", quality, scale: "css", timeout: PICTURE_MS })
      .catch(() => undefined);
    if (bytes === undefined || bytes.length <= PICTURE_BYTES) return bytes;
  }
  return undefined;
}
