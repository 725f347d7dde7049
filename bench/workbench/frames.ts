import type { Page } from "playwright-core";

/** What was seen of a page's frames. Milliseconds, but for `perSecond`. */
export interface Frames {
  perSecond: number;
  /** Of the times between two frames: what 95 of 100 do not exceed, and the longest. */
  gap95: number;
  longestGap: number;
  /** Of the tasks of 50 ms and more that the browser tells of; 0 where there was none. */
  longestTask: number;
}

interface Watched {
  gaps: number[];
  tasks: number[];
  stop(): void;
}

/** Counts frames and long tasks in a page, from now until the returned function is called. */
export async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.evaluate(() => {
    const gaps: number[] = [];
    const tasks: number[] = [];
    let last = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      gaps.push(now - last);
      last = now;
      frame = requestAnimationFrame(next);
    });
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ type: "longtask" });
    const stop = () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
    Object.assign(globalThis, { watched: { gaps, tasks, stop } satisfies Watched });
  });
  return () =>
    page.evaluate(() => {
      const { gaps, tasks, stop } = (globalThis as unknown as { watched: Watched }).watched;
      stop();
      const sorted = gaps.toSorted((a, b) => a - b);
      return {
        perSecond: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0),
        gap95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
        longestGap: sorted.at(-1) ?? 0,
        longestTask: Math.max(0, ...tasks),
      };
    });
}

/** As one reads it in a line. */
export const framesText = ({ perSecond, gap95, longestGap, longestTask }: Frames) =>
  `${perSecond.toFixed(0)} frames a second (95 of 100 within ${gap95.toFixed(0)} ms, longest ${longestGap.toFixed(0)} ms), ` +
  `longest task ${longestTask === 0 ? "under 50" : longestTask.toFixed(0)} ms`;
