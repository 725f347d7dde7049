/** Paths of every preview that the gateway answers itself. An app that uses them loses them. */
const ROOT = "/__treadle/";

export const PROBE_PATH = `${ROOT}probe.js`;
export const REPORT_PATH = `${ROOT}report`;
export const STATE_PATH = `${ROOT}state`;

export const isOwnPath = (path: string) => path.startsWith(ROOT);

/** Path and query of a request target; an absolute one (asked as of a proxy) loses its origin. */
export function requestPath(target: string | undefined): string {
  if (target === undefined || target === "") return "/";
  if (target.startsWith("/") || target === "*") return target;
  try {
    const url = new URL(target);
    return url.pathname + url.search;
  } catch {
    return "/";
  }
}
