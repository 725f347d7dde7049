import type { Page } from "playwright-core";

/** What a page holds after its garbage was collected. */
export interface Heap {
  /** Bytes of JavaScript's heap, and of the buffers outside of it. */
  bytes: number;
  nodes: number;
  text: string;
}

/** Collects a page's garbage, and says what is left. */
export async function heapOf(page: Page): Promise<Heap> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = (await cdp.send("Runtime.getHeapUsage")) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  const { nodes } = await cdp.send("Memory.getDOMCounters");
  await cdp.detach();
  const bytes = usedSize + backingStorageSize;
  return { bytes, nodes, text: `${(bytes / 1e6).toFixed(1)} MB` };
}
