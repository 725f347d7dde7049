import { askBy, askOver, type Ask } from "../gate/strangers/ask.ts";
import type { ReleaseServer } from "./release-slot.ts";
import { startHealthy } from "./switch-release.ts";
import { createSite } from "./serve-site.ts";

/**
 * Sends requests to a release before it is public; an app is started for it.
 * @param site the folder of a static site
 * @throws ReleaseFailure if an app does not start
 */
export async function askOf(next: ReleaseServer, site: string): Promise<Ask> {
  if (next.kind === "site") {
    const app = createSite(site);
    return askBy((request) => app.fetch(request));
  }
  await startHealthy(next.app);
  return askOver(() => next.app.connect());
}

/**
 * The path of the first page of an app that was built for a subpath (Next's `basePath`).
 * @param shown the path at which the preview had it
 * @returns undefined if it is at `/`, as usual, or does not exist
 */
export async function entryOf(ask: Ask, shown: string | undefined): Promise<string | undefined> {
  if (shown === undefined || shown === "/" || !shown.startsWith("/")) return undefined;
  if ((await ask("/"))?.status !== 404) return undefined;
  return (await ask(shown))?.status === 200 ? shown : undefined;
}

/** Sends requests as visitors do: `/` redirects to the first page. */
export const entered =
  (ask: Ask, entry: string | undefined): Ask =>
  async (path, headers) =>
    path === "/" && entry !== undefined
      ? { status: 302, headers: { location: entry }, bytes: 0, text: "" }
      : ask(path, headers);
