import type { PageReport } from "@treadle/protocol";
import type { CDPSession } from "playwright-core";

/** Maximum number of requested links per page. */
const ASKED = 8;
/** Addresses that may have side effects when requested. */
export const ACTS =
  /log-?out|sign-?out|delete|remove|destroy|unsubscribe|cancel|reset|clear|purge/i;

/**
 * Requests the links of a page to its own host, as its browser would, without opening them.
 * @returns the missing and broken ones
 */
export async function askLinks(
  cdp: CDPSession,
  origin: string,
  links: readonly string[],
  signal: AbortSignal,
): Promise<PageReport["failedRequests"]> {
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const dead: PageReport["failedRequests"] = [];
  for (const path of links.slice(0, ASKED)) {
    signal.throwIfAborted();
    const { resource } = await cdp.send("Network.loadNetworkResource", {
      frameId: frameTree.frame.id,
      url: origin + path,
      options: { disableCache: false, includeCredentials: true },
    });
    if (resource.stream) await cdp.send("IO.close", { handle: resource.stream });
    const status = resource.httpStatusCode ?? 0;
    if (status === 404 || status === 410 || status >= 500)
      dead.push({ method: "GET", url: path, status, reason: "the page links to it" });
  }
  return dead;
}
