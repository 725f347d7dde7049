import { useCallback, useState, type RefObject } from "react";
import { useFrameMessages } from "../live/use-frame-messages.ts";

/** Markdown in the frame, and whether it is shown rendered or as text. */
export interface MarkdownPage {
  text: string;
  isRendered: boolean;
  setRendered(isRendered: boolean): void;
}

/** The Markdown that the frame shows; undefined for any other page. The text comes from generated code. */
export function useMarkdownPage(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
): MarkdownPage | undefined {
  const [text, setText] = useState<string>();
  const [isRendered, setRendered] = useState(true);
  useFrameMessages(
    frame,
    origin,
    useCallback((data: unknown) => {
      const { type, text: sent } = (data ?? {}) as { type?: unknown; text?: unknown };
      if (type === "treadle:begin") setText(undefined);
      if (type === "treadle:markdown" && typeof sent === "string") setText(sent);
    }, []),
  );
  return text === undefined ? undefined : { text, isRendered, setRendered };
}
