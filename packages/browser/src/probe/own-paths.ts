/** Paths of every preview that the gateway answers itself. An app that uses them loses them. */
export const OWN_ROOT = "/__treadle/";

export const PROBE_PATH = `${OWN_ROOT}probe.js`;
/** What tells the workbench of the page's console and network, and which element is pointed at. */
export const WATCH_PATH = `${OWN_ROOT}watch.js`;
export const REPORT_PATH = `${OWN_ROOT}report`;
/** Where places of stacks are asked for, as the project's own files have them. */
export const PLACES_PATH = `${OWN_ROOT}places`;
/** Where the page in the workbench's frame says that something of it is drawn. */
export const DRAWN_PATH = `${OWN_ROOT}drawn`;
export const STATE_PATH = `${OWN_ROOT}state`;

export const isOwnPath = (path: string) => path.startsWith(OWN_ROOT);
