import type { IncomingHttpHeaders } from "node:http";
import { readPreviewHost } from "@treadle/common";

/**
 * Whether a request comes from another project's page (A76). Both may be shown in Treadle's page, and cookies of previews go
 * wherever that embeds them: an app's own `SameSite` cannot hold in a frame, so that it is held here. Where no page is
 * named, neither are other ports of the same project; a link or a frame that leads here says nothing for the one who
 * made it. Pages of other sites have cookies apart, by the browser.
 */
export function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  const own = readPreviewHost(headers.host);
  const named = URL.parse(headers.origin ?? headers.referer ?? "");
  const asking = named ? readPreviewHost(named.host) : undefined;
  if (asking) return asking.capability !== own?.capability;
  if (named || site === undefined) return false;
  return headers.origin !== undefined || headers["sec-fetch-mode"] !== "navigate";
}
