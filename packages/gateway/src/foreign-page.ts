import type { IncomingHttpHeaders } from "node:http";
import { previewDomainOf, readPreviewHost } from "@treadle/common";

/**
 * Whether a request comes from another project's page (A76). Treadle's page may show both, and
 * browsers send cookies of previews wherever that page embeds them: an app's own `SameSite` has no
 * effect in a frame, so it is enforced here. Without a named page, other ports of the same project
 * count as foreign as well; a link or frame that leads here does not name the page that contains
 * it. Browsers partition the cookies of other sites themselves.
 */
export function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  const domain = previewDomainOf(headers.host ?? "");
  const own = readPreviewHost(headers.host, domain);
  const named = URL.parse(headers.origin ?? headers.referer ?? "");
  const asking = named ? readPreviewHost(named.host, domain) : undefined;
  if (asking) return asking.capability !== own?.capability;
  if (named || site === undefined) return false;
  return headers.origin !== undefined || headers["sec-fetch-mode"] !== "navigate";
}
