import { previewDomainOf, readPreviewHost, siblingOrigin } from "@treadle/common";

/**
 * How a page on one port of a project and a server on another see each other. In the browser each
 * port has a separate host; the app knows both as `localhost` with a port, and its origin rules
 * (CORS, WebSockets) refer to those.
 */
export interface Neighbour {
  /** The origin that the app receives instead of the page's. */
  origin: string;
  /** The Host header that the app receives instead of the gateway's. */
  host: string;
  /** The page's origin, which replaces `origin` in responses. */
  page: string;
}

/** Names by which an app refers to its own machine. */
export const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/;

/**
 * The names for a request by a page on another port of the same project.
 * @param request its Host and Origin
 * @param to the requested port
 * @param first the port of a preview host without a port
 * @returns undefined if the page is on the same port, or on no port of this project
 */
export function neighbourOf(
  request: { host: string | undefined; origin: string | undefined },
  to: number,
  first: number,
): Neighbour | undefined {
  const domain = previewDomainOf(request.host ?? "");
  const own = readPreviewHost(request.host, domain);
  const page = URL.parse(request.origin ?? "");
  const asking = page ? readPreviewHost(page.host, domain) : undefined;
  if (!page || !own || asking?.capability !== own.capability) return undefined;
  const from = asking.port ?? first;
  if (page.host === request.host?.toLowerCase()) return undefined;
  return { origin: `http://localhost:${from}`, host: `localhost:${to}`, page: page.origin };
}

/**
 * The names for a port that only answers to `localhost`: the app receives the origin of its own page
 * as one of `localhost`, and that of any other page unchanged.
 * @param request its Host and Origin
 * @param port the requested port
 */
export function localhostOf(
  { host, origin }: { host: string | undefined; origin: string | undefined },
  port: number,
): Neighbour {
  const page = origin ?? `http://${host}`;
  const isOwn = URL.parse(page)?.host === host?.toLowerCase();
  return { host: `localhost:${port}`, origin: isOwn ? `http://localhost:${port}` : page, page };
}

/**
 * Rewrites a redirect target: `localhost` with a port becomes that port's preview. Undefined if it
 * can stay unchanged.
 * @param own the preview's origin, at which `port` answered
 */
export function previewLocation(
  location: string,
  { own, port }: { own: string; port: number },
): string | undefined {
  const url = URL.parse(location);
  if (!url || !/^https?:$/.test(url.protocol) || !LOOPBACK.test(url.hostname)) return undefined;
  const to = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const rest = url.pathname + url.search + url.hash;
  if (to === port) return rest;
  return siblingOrigin(own, to) + rest;
}
