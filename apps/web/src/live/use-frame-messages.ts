import { useEffect, type RefObject } from "react";

/** Hears what the page in a frame says, and nobody else: it comes from that window, and that origin. */
export function useFrameMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (data: unknown) => void,
): void {
  useEffect(() => {
    const hear = (event: MessageEvent) => {
      if (event.source === frame.current?.contentWindow && event.origin === origin)
        onMessage(event.data);
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [frame, origin, onMessage]);
}
