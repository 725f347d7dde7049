import { DRAWN_PATH } from "../own-paths.ts";

/**
 * Reports to the gateway once something is drawn, or that the page is hidden: a person waits for
 * the first display of their page. A beacon does not count as a request of the page.
 */
export function reportDrawn(): void {
  const report = () => navigator.sendBeacon(DRAWN_PATH);
  const root = document.documentElement;
  const isHidden = () => document.hidden || (root.checkVisibility && !root.checkVisibility());
  // A frame has no layout at first, visible or not.
  setTimeout(() => isHidden() && report(), 500);
  try {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      observer.disconnect();
      report();
    });
    observer.observe({ type: "paint", buffered: true });
  } catch {
    // The browser does not report what it paints.
  }
}
