import { useCallback, useState, type RefObject } from "react";
import { EMPTY, appendMessage, type PageLog, type Printed } from "./page-log.ts";
import { readPageMessage } from "./page-messages.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";

/** The console output and requests of the page in the frame since it was loaded or the person cleared them. */
export function usePageLog(frame: RefObject<HTMLIFrameElement | null>, origin: string) {
  const [log, setLog] = useState<PageLog>(EMPTY);
  useFrameMessages(
    frame,
    origin,
    useCallback((data: unknown) => {
      const message = readPageMessage(data);
      if (message) setLog((before) => appendMessage(before, message));
    }, []),
  );
  return {
    log,
    clear: () =>
      setLog((before) => ({
        ...appendMessage(before, { type: "begin" }),
        isDenied: before.isDenied,
      })),
    /**
     * Looks up the source position of a line. The page asks the app's server, because only that has the source maps.
     */
    place: ({ id, stack }: Printed) =>
      frame.current?.contentWindow?.postMessage({ type: "treadle:place", id, stack }, origin),
  };
}
