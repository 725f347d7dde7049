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
