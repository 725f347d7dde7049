/** A page that has told nothing by then tells nothing. */
const REPORT_MS = 45_000;
/** What follows a report within this time takes its place. */
const SETTLED_MS = 600;

/** Opens a page in the frame and resolves with what its probe reports; with nothing where it says nothing. */
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
