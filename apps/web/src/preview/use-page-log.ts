import { useCallback, useState, type RefObject } from "react";
import { EMPTY, take, type PageLog, type Printed } from "./page-log.ts";
import { readPageMessage } from "./page-messages.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";

/** What the page in the frame printed and asked for since it was loaded, or the person cleared it. */
export function usePageLog(frame: RefObject<HTMLIFrameElement | null>, origin: string) {
  const [log, setLog] = useState<PageLog>(EMPTY);
  useFrameMessages(
    frame,
    origin,
    useCallback((data: unknown) => {
      const message = readPageMessage(data);
      if (message) setLog((before) => take(before, message));
    }, []),
  );
  return {
    log,
    clear: () =>
      setLog((before) => ({ ...take(before, { type: "begin" }), isDenied: before.isDenied })),
    /** Asks where in the source a line was printed. The page asks: only its own server has its source maps. */
    place: ({ id, stack }: Printed) =>
      frame.current?.contentWindow?.postMessage({ type: "treadle:place", id, stack }, origin),
  };
}
