/** The probe of pages that a container in a tab serves: it reports to the tab. */
import { startProbe } from "./start-probe.ts";

declare const ORIGINS: readonly string[];

startProbe(ORIGINS, false, (report, _fetch, post) => post("report", { report }));
