import { DRAWN_PATH } from "../own-paths.ts";

/**
 * A part of the watch script. A person waits for the first of their page: the gateway is told once something is drawn, or
 * that nobody sees it. A beacon is none of the page's own requests.
 */
export const DRAWN = String.raw`
  const drawn = () => navigator.sendBeacon("${DRAWN_PATH}");
  const all = d.documentElement;
  // A frame has no layout as it begins, seen or not.
  soon(() => (d.hidden || (all.checkVisibility && !all.checkVisibility())) && drawn(), 500);
  try {
    new PerformanceObserver((list, o) => {
      if (list.getEntriesByName("first-contentful-paint").length) o.disconnect(), drawn();
    }).observe({ type: "paint", buffered: true });
  } catch {}
`;
