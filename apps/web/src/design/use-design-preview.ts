import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useFrameMessages } from "../live/use-frame-messages.ts";
import { draftSheet } from "./draft.ts";
import { useDesign } from "./use-design.ts";
import { useDesignStore, useDraft } from "../project/design-store.ts";
import { useProjectId } from "../live/live-context.tsx";

/**
 * Shows unsaved values of design tokens in the page in the frame, also after a reload. Saved values stay until the
 * page's own style sheets contain them.
 */
export function useDesignPreview(frame: RefObject<HTMLIFrameElement | null>, origin: string): void {
  const hasDraft = useDraft(useProjectId()).length > 0;
  const isOpen = useDesignStore((state) => state.isOpen);
  const { saved, draft } = useDesign(hasDraft || isOpen);
  const sheet = saved ? draftSheet(saved, draft) : "";
  const shown = useRef("");
  const last = useRef(draft);
  const send = useCallback(
    (css: string, back = false) => {
      shown.current = css;
      frame.current?.contentWindow?.postMessage({ type: "treadle:design", css, back }, origin);
    },
    [frame, origin],
  );
  useEffect(() => {
    // Values that were discarded instead of saved are removed from the page at once.
    const isWritten = last.current.every(({ name, mode, value }) =>
      saved?.tokens.some((one) => one.name === name && one.values[mode] === value),
    );
    last.current = draft;
    if (sheet !== shown.current) send(sheet, sheet === "" && !isWritten);
  }, [sheet, send, saved, draft]);
  useFrameMessages(
    frame,
    origin,
    useCallback(
      (data: unknown) => {
        const isBegin =
          typeof data === "object" &&
          data !== null &&
          "type" in data &&
          data.type === "treadle:begin";
        if (isBegin && shown.current !== "") send(shown.current);
      },
      [send],
    ),
  );
}
