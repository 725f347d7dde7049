import { OWN_ROOT } from "../own-paths.ts";
import type { Embedder } from "./embedder.ts";
import { cut } from "./text.ts";

/** Maximum number of requests that are sent at a time, and whose method is remembered. */
const MOST_SENT = 100;
const MOST_METHODS = 500;

/**
 * Reports the page's requests once they are answered, from the browser's own record, which includes
 * all initiators; the method is only known for requests by scripts.
 */
export function watchNetwork({ post }: Embedder): void {
  const methods = new Map<string, string>();
  const note = (address: unknown, method: unknown) => {
    try {
      if (methods.size > MOST_METHODS) methods.clear();
      const { href } = new URL(String(address), document.baseURI);
      methods.set(href, cut(method || "GET", 10).toUpperCase());
    } catch {
      // The request itself fails.
    }
  };
  const { fetch } = window;
  window.fetch = function (this: unknown, ...given) {
    const [input, init] = given;
    const request = input as Partial<Request> | undefined;
    note(request?.url || input, init?.method || request?.method);
    return Reflect.apply(fetch, this, given);
  };
  const requests = XMLHttpRequest.prototype;
  const { open } = requests;
  requests.open = function (this: XMLHttpRequest, ...given: [string, string | URL]) {
    const [method, address] = given;
    note(address, method);
    return Reflect.apply(open, this, given);
  };

  const shortName = (name: string) =>
    name.startsWith(`${location.origin}/`) ? name.slice(location.origin.length) : name;
  const report = (entries: readonly PerformanceResourceTiming[]) => {
    const answered = entries
      .filter(({ name }) => !name.includes(OWN_ROOT))
      .slice(0, MOST_SENT)
      .map((entry) => ({
        url: cut(shortName(entry.name), 1000),
        method: methods.get(entry.name) || "GET",
        kind: entry.initiatorType,
        status: entry.responseStatus ?? -1,
        ms: Math.round(entry.duration),
        size: entry.encodedBodySize || entry.transferSize || 0,
        at: Math.round(performance.timeOrigin + entry.startTime),
      }));
    if (answered.length > 0) post("requests", { requests: answered });
  };
  try {
    const observer = new PerformanceObserver((list) =>
      report(list.getEntries() as PerformanceResourceTiming[]),
    );
    observer.observe({ type: "navigation", buffered: true });
    observer.observe({ type: "resource", buffered: true });
  } catch {
    // The browser keeps no such record.
  }
}
