import type { CDPSession } from "playwright-core";
import { until } from "./wait-for-rest.ts";

/** Maximum length, in characters: enough for a script with an inline source map. */
const SIZE = 4 * 1024 * 1024;
const PIECE = 1024 * 1024;

/**
 * The text of an address as the page's own browser gets it, unaffected by the page's scripts;
 * undefined if there is none.
 */
export async function loadText(
  cdp: CDPSession,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { frameTree } = await until(cdp.send("Page.getFrameTree"), signal);
  const { resource } = await until(
    cdp.send("Network.loadNetworkResource", {
      frameId: frameTree.frame.id,
      url,
      options: { disableCache: false, includeCredentials: true },
    }),
    signal,
  );
  const { stream: handle, httpStatusCode } = resource;
  if (handle === undefined) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for (let isOver = httpStatusCode !== 200; !isOver && size < SIZE;) {
      const read = await until(cdp.send("IO.read", { handle, size: PIECE }), signal);
      const piece = Buffer.from(read.data, read.base64Encoded ? "base64" : "utf8");
      pieces.push(piece);
      size += piece.length;
      isOver = read.eof;
    }
  } finally {
    await cdp.send("IO.close", { handle }).catch(() => {});
  }
  return httpStatusCode === 200 && size < SIZE ? Buffer.concat(pieces).toString("utf8") : undefined;
}
