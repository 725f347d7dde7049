import { useEffect, useRef, useState } from "react";
import { PenLine, Square, Undo2 } from "../ui/icons.ts";
import { enhancePrompt } from "../api/enhance.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Minimum characters of a prompt that can be improved. */
const MIN_PROMPT_CHARS = 4;

/**
 * Lets the model improve the typed text, streaming the result. The person's own text can be restored until the message
 * is sent.
 */
export function ImproveButton({
  text,
  model,
  onText,
  onProblem,
}: {
  text: string;
  model?: string;
  onText: (text: string) => void;
  onProblem: (problem: string | undefined) => void;
}) {
  const [own, setOwn] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [busy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  // Text that was sent or cleared cannot be restored.
  const undo = text === "" ? undefined : own;

  const improve = async () => {
    const before = text;
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    setOwn(before);
    onProblem(undefined);
    try {
      await enhancePrompt(before.trim(), model, stop.signal, onText);
    } catch (error) {
      onText(before);
      setOwn(undefined);
      const broken = words.prompt.brokeOff;
      if (!stop.signal.aborted) onProblem(error instanceof ApiFailure ? sentence(error) : broken);
    } finally {
      setBusy(false);
    }
  };

  if (busy)
    return (
      <Button kind="quiet" onClick={() => running.current?.abort()}>
        <Square size={13} aria-hidden="true" fill="currentColor" />
        <span className="@max-[520px]:sr-only">{words.prompt.improving}</span>
      </Button>
    );
  return (
    <>
      <Button
        kind="quiet"
        disabled={text.trim().length < MIN_PROMPT_CHARS}
        title={words.prompt.improveAbout}
        onClick={() => void improve()}
      >
        <PenLine size={15} aria-hidden="true" />
        <span className="@max-[520px]:sr-only">{words.prompt.improve}</span>
      </Button>
      {undo !== undefined && undo !== text && (
        <Button
          kind="quiet"
          title={words.prompt.undoAbout}
          onClick={() => {
            onText(undo);
            setOwn(undefined);
          }}
        >
          <Undo2 size={15} aria-hidden="true" />
          <span className="@max-[520px]:sr-only">{words.prompt.undo}</span>
        </Button>
      )}
    </>
  );
}
