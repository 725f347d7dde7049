/** Paths of every preview that the gateway answers itself; apps cannot use them. */
export const OWN_ROOT = "/__treadle/";

export const PROBE_PATH = `${OWN_ROOT}probe.js`;
/** The script that reports the page's console, network and picked elements to the workbench. */
export const WATCH_PATH = `${OWN_ROOT}watch.js`;
export const REPORT_PATH = `${OWN_ROOT}report`;
/** The route that converts positions in stacks to the project's own files. */
export const PLACES_PATH = `${OWN_ROOT}places`;
/** The route to which the page in the workbench's frame reports that something is drawn. */
export const DRAWN_PATH = `${OWN_ROOT}drawn`;
export const STATE_PATH = `${OWN_ROOT}state`;

export const isOwnPath = (path: string) => path.startsWith(OWN_ROOT);
