import type { PagePicture } from "@treadle/protocol";
import type { DataCopy } from "../../ports/data-copies.ts";
import type { PicturePort } from "../../ports/pictures.ts";
import { withRevisionBefore, type RevisionBefore } from "./revision-before.ts";

/** Milliseconds that the verdict waits for a picture of the revision before the turn. */
const WHOLE_MS = 10_000;

/**
 * Takes a picture of a page before the turn, so that a person can compare the two.
 * @returns undefined if that revision cannot be served or its page does not render in time
 */
export async function pictureBefore(
  path: string,
  now: Pick<DataCopy, "workspace">,
  { signal, ...before }: RevisionBefore,
  keepPicture: PicturePort["save"],
): Promise<PagePicture | undefined> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  let taken: Parameters<PicturePort["save"]> | undefined;
  try {
    await withRevisionBefore(now, { ...before, signal: ends }, async ({ browser, port }) => {
      await browser.look({
        path,
        port,
        signal: ends,
        onPicture: (...shown) => void (taken = shown),
      });
    });
  } catch {
    signal.throwIfAborted();
  }
  return taken && keepPicture(...taken);
}
