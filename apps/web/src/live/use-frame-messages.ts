import { useEffect, type RefObject } from "react";
import { createMessageRate } from "./message-rate.ts";

/** Receives messages of the page in a frame only: from that window, of that origin, at a limited rate. */
export function useFrameMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (data: unknown) => void,
): void {
  useEffect(() => {
    const mayCome = createMessageRate(() => performance.now());
    const hear = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
      // Checked before the message is read.
      if (mayCome()) onMessage(event.data);
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [frame, origin, onMessage]);
}
