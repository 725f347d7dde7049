import { DRAWN_PATH } from "../own-paths.ts";

/**
 * A part of the watch script. A person waits for the first display of their page, so it reports to
 * the gateway once something is drawn, or that the page is hidden. A beacon does not count as a
 * request of the page.
 */
export const DRAWN = String.raw`
  const drawn = () => navigator.sendBeacon("${DRAWN_PATH}");
  const all = d.documentElement;
  // A frame has no layout at first, visible or not.
  soon(() => (d.hidden || (all.checkVisibility && !all.checkVisibility())) && drawn(), 500);
  try {
    new PerformanceObserver((list, o) => {
      if (list.getEntriesByName("first-contentful-paint").length) o.disconnect(), drawn();
    }).observe({ type: "paint", buffered: true });
  } catch {}
`;
