import { askBy, askOver, type Ask } from "../gate/ask.ts";
import type { Answering } from "./answering.ts";
import { startWell } from "./bring.ts";
import { createSite } from "./serve-site.ts";

/**
 * Asks a release before anybody else does; an app is started for it.
 * @param site the folder of a site
 * @throws ReleaseFailure where an app does not start
 */
export async function askOf(next: Answering, site: string): Promise<Ask> {
  if (next.kind === "site") {
    const app = createSite(site);
    return askBy((request) => app.fetch(request));
  }
  await startWell(next.app);
  return askOver(() => next.app.connect());
}
