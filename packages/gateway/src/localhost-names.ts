import { previewOrigin, readPreviewHost } from "@treadle/common";

/**
 * How the page of one port of a project and the server of another see each other. In the browser each port has a host of
 * its own; the app knows both as `localhost` with a port, and its rules about origins (CORS, sockets) are about those.
 */
export interface Neighbour {
  /** The origin that the app receives instead of the page's. */
  origin: string;
  /** The Host header that the app receives instead of the gateway's. */
  host: string;
  /** The page's origin, in the place of `origin` in answers. */
  page: string;
}

/** The names by which an app calls its own machine. */
export const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/;

/**
 * @param request its Host and Origin
 * @param to port that is asked
 * @param first port that is meant where a preview's host names none
 * @returns undefined where the page is of the same port, or of no port of this project
 */
export function neighbourOf(
  request: { host: string | undefined; origin: string | undefined },
  to: number,
  first: number,
): Neighbour | undefined {
  const own = readPreviewHost(request.host);
  const page = URL.parse(request.origin ?? "");
  const asking = page ? readPreviewHost(page.host) : undefined;
  if (!page || !own || asking?.capability !== own.capability) return undefined;
  const from = asking.port ?? first;
  if (page.host === request.host?.toLowerCase()) return undefined;
  return { origin: `http://localhost:${from}`, host: `localhost:${to}`, page: page.origin };
}

/**
 * The same for a port that answers to `localhost` alone: its own page is of `localhost` to it, and nobody else's is.
 *
 * @param request its Host and Origin
 * @param port that is asked
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
 * Where an answer sends the browser, as it has to go there: what the app calls `localhost` with a port is that port's
 * preview. Undefined where it can stay as it is.
 * @param port that answered; it is the host that was asked
 */
export function previewLocation(
  location: string,
  { appOrigin, host, port }: { appOrigin: string; host: string; port: number },
): string | undefined {
  const url = URL.parse(location);
  const own = readPreviewHost(host);
  if (!url || !own || !/^https?:$/.test(url.protocol) || !LOOPBACK.test(url.hostname))
    return undefined;
  const to = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const rest = url.pathname + url.search + url.hash;
  if (to === port) return rest;
  return previewOrigin(appOrigin, own.capability, to) + rest;
}
