import { askBy, askOver, type Ask } from "../gate/strangers/ask.ts";
import type { ReleaseServer } from "./release-slot.ts";
import { startHealthy } from "./switch-release.ts";
import { createSite } from "./serve-site.ts";

/**
 * Asks a release before anybody else does; an app is started for it.
 * @param site the folder of a site
 * @throws ReleaseFailure where an app does not start
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
 * Where an app has its first page that was built to stand below a path (Next's `basePath`).
 * @param shown the path at which the preview had it
 * @returns undefined where it is at `/`, as of most, or there is none
 */
export async function entryOf(ask: Ask, shown: string | undefined): Promise<string | undefined> {
  if (shown === undefined || shown === "/" || !shown.startsWith("/")) return undefined;
  if ((await ask("/"))?.status !== 404) return undefined;
  return (await ask(shown))?.status === 200 ? shown : undefined;
}

/** Asks as it is answered to everybody: `/` leads to where the first page is. */
export const entered =
  (ask: Ask, entry: string | undefined): Ask =>
  async (path, headers) =>
    path === "/" && entry !== undefined
      ? { status: 302, headers: { location: entry }, bytes: 0, text: "" }
      : ask(path, headers);
