import { useEffect, type RefObject } from "react";
import { createMessageRate } from "./message-rate.ts";

/** Receives messages of the page in a frame only: from that window, of that origin, at a limited rate. */
export function useFrameMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (data: unknown) => void,
): void {
  useEffect(() => {
    const isAllowed = createMessageRate(() => performance.now());
    const receive = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
      // Checked before the message is read.
      if (isAllowed()) onMessage(event.data);
    };
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [frame, origin, onMessage]);
}
