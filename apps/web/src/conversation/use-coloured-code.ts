import { useEffect, useRef, useState } from "react";
import type { ColouredPiece, Highlighter } from "../files/highlight.ts";

/** Maximum characters of code that are coloured; longer code is shown without colours. */
const MAX_COLOURED_CHARS = 20_000;
/** Time between two passes over code that is being written, in milliseconds. */
const PACE_MS = 200;

/** The coloured beginning of the code. */
interface Coloured {
  text: string;
  /**
   * The pieces of each pass; those of earlier passes stay the same objects, so that they are not
   * drawn again.
   */
  passes: readonly (readonly ColouredPiece[])[];
}

const NONE: Coloured = { text: "", passes: [] };

/**
 * Colours code while it is written, up to its last complete line, and all of it once it is complete.
 * @returns the coloured beginning; empty if the code is not coloured
 */
export function useColouredCode(
  code: string,
  language: string | undefined,
  isComplete: boolean,
): Coloured {
  const [coloured, setColoured] = useState(NONE);
  const highlighter = useRef<{ language: string; made: Promise<Highlighter | undefined> }>(
    undefined,
  );
  const isRest = code.startsWith(coloured.text);
  const target = isComplete ? code : code.slice(0, code.lastIndexOf("\n") + 1);
  const isBehind = !isRest || target.length > coloured.text.length;
  useEffect(() => {
    if (language === undefined || !isBehind || target.length > MAX_COLOURED_CHARS) return;
    let stopped = false;
    const colour = async () => {
      const { createHighlighter } = await import("../files/highlight.ts");
      // Complete code is parsed as a whole, because an unfinished construct may have been parsed
      // differently.
      if (isComplete || !isRest || highlighter.current?.language !== language)
        highlighter.current = { language, made: createHighlighter(language) };
      const from = isComplete || !isRest ? 0 : coloured.text.length;
      const pieces = await (await highlighter.current.made)?.highlight(target, from);
      if (!pieces || stopped) return;
      setColoured({ text: target, passes: from === 0 ? [pieces] : [...coloured.passes, pieces] });
    };
    const timer = setTimeout(() => void colour().catch(() => undefined), isComplete ? 0 : PACE_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [coloured, target, language, isBehind, isComplete, isRest]);
  return isRest ? coloured : NONE;
}
