/**
 * Reports the page's requests once they are answered, from the browser's own record, which includes
 * all initiators; the method is only known for requests by scripts.
 */
export const NETWORK = String.raw`
  const methods = new Map();
  const asked = (url, method) => {
    try {
      if (methods.size > 500) methods.clear();
      methods.set(new URL(url, d.baseURI).href, String(method || "GET").toUpperCase().slice(0, 10));
    } catch {}
  };
  const fetched = w.fetch, opened = XMLHttpRequest.prototype.open;
  w.fetch = function (a, b) {
    asked(a && a.url || a, b && b.method || a && a.method);
    return fetched.apply(this, arguments);
  };
  XMLHttpRequest.prototype.open = function (method, url) {
    asked(url, method);
    return opened.apply(this, arguments);
  };
  const told = (entries) => {
    const requests = entries.filter((e) => !e.name.includes("/__treadle/")).slice(0, 100).map((e) => ({
      url: cut(e.name.startsWith(location.origin + "/") ? e.name.slice(location.origin.length) : e.name, 1000),
      method: methods.get(e.name) || "GET", kind: e.initiatorType, status: e.responseStatus ?? -1,
      ms: Math.round(e.duration), size: e.encodedBodySize || e.transferSize || 0, at: Math.round(performance.timeOrigin + e.startTime),
    }));
    if (requests.length) say("requests", { requests });
  };
  try {
    const observer = new PerformanceObserver((list) => told(list.getEntries()));
    observer.observe({ type: "navigation", buffered: true });
    observer.observe({ type: "resource", buffered: true });
  } catch {}
`;
