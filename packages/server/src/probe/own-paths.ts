/** Paths of every preview that the gateway answers itself. An app that uses them loses them. */
const ROOT = "/__treadle/";

export const PROBE_PATH = `${ROOT}probe.js`;
export const REPORT_PATH = `${ROOT}report`;
export const STATE_PATH = `${ROOT}state`;

export const isOwnPath = (path: string) => path.startsWith(ROOT);
