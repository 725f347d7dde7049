/** The probe of pages that the gateway serves: it reports to the gateway, and passes its response on. */
import { REPORT_PATH } from "../own-paths.ts";
import { reachNearby } from "./nearby.ts";
import { startProbe } from "./start-probe.ts";

declare const ORIGINS: readonly string[];

// The script element states the page's own port, and whether its server requested isolation.
const { port, isolated } = (document.currentScript as HTMLScriptElement | null)?.dataset ?? {};
reachNearby(port);
startProbe(ORIGINS, isolated !== undefined, (report, fetch, post) => {
  fetch(REPORT_PATH, { method: "POST", body: JSON.stringify(report) })
    .then((response) => response.json())
    .then((seen) => post("seen", { seen }))
    .catch(() => {});
});
