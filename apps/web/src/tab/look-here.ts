/** Time limit for a page's report. */
const REPORT_MS = 45_000;
/** A further report within this time replaces the first. */
const SETTLED_MS = 600;

/** Opens a page in the frame and resolves with its probe's report; undefined if there is none. */
export function lookHere(frame: HTMLIFrameElement, address: string): Promise<unknown> {
  return new Promise((resolve) => {
    let last: unknown;
    let settled: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(late);
      clearTimeout(settled);
      removeEventListener("message", onMessage);
      resolve(last);
    };
    const onMessage = ({ source, data }: MessageEvent<{ type?: string; report?: unknown }>) => {
      if (source !== frame.contentWindow || data?.type !== "treadle:report") return;
      last = data.report;
      clearTimeout(settled);
      settled = setTimeout(end, SETTLED_MS);
    };
    const late = setTimeout(end, REPORT_MS);
    addEventListener("message", onMessage);
    frame.src = address;
  });
}
