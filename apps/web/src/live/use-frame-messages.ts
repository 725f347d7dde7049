import { useEffect, type RefObject } from "react";
import { createMessageRate } from "./message-rate.ts";

/** Hears what the page in a frame says, and nobody else: it comes from that window, and that origin, at a bounded rate. */
export function useFrameMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (data: unknown) => void,
): void {
  useEffect(() => {
    const mayCome = createMessageRate(() => performance.now());
    const hear = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
      // Before it is looked at: what it holds is only read then.
      if (mayCome()) onMessage(event.data);
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [frame, origin, onMessage]);
}
