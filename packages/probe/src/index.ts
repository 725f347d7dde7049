/** Programs that run in previewed pages, and the paths at which they find the gateway. */
import { PROBE, TAB_PROBE, WATCH } from "./scripts.ts";

export type { ListedControl, PressEffects } from "./in-page/controls.ts";
export { measure, type Sight } from "./in-page/measure.ts";
export {
  DRAWN_PATH,
  isOwnPath,
  OWN_ROOT,
  PLACES_PATH,
  PROBE_PATH,
  REPORT_PATH,
  STATE_PATH,
  WATCH_PATH,
} from "./own-paths.ts";

/** Records what a press does, and lists controls: the headless browser runs it before a page's own scripts. */
export { PRESS as PRESS_SCRIPT } from "./scripts.ts";

/** The programs find the origins of Treadle's page under this name. */
const withOrigins = (script: string, origins: readonly string[]) =>
  `(ORIGINS=>{${script}})(${JSON.stringify(origins)});\n`;

/** The probe of pages that the gateway serves. @param origins of the workbench, which may embed them */
export const probeScript = (origins: readonly string[]): string => withOrigins(PROBE, origins);

/** The probe of pages that a container in the tab of this origin serves: it reports to the tab. */
export const tabProbeScript = (origin: string): string => withOrigins(TAB_PROBE, [origin]);

/** The script that reports a page to a workbench of these origins. */
export const watchScript = (origins: readonly string[]): string => withOrigins(WATCH, origins);
