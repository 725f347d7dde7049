import { ArrowUp, Square } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "../ui/button.tsx";
import type { Answering } from "./use-answer.ts";

/** Words that go where the row would not hold them: it is one row at every width of its pane. */
const WORDS = "@max-[430px]:sr-only";

/** Ends the turn that goes on. */
export function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <Button title="Stop this turn" onClick={onStop}>
      <Square size={14} aria-hidden="true" fill="currentColor" />
      <span className={WORDS}>Stop</span>
    </Button>
  );
}

/** Sends what is typed. */
export function SendButton({
  words,
  disabled,
  field,
  onSend,
}: {
  words: string;
  disabled: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
}) {
  return (
    <Button
      kind="primary"
      className="pointer-coarse:min-w-11"
      title={words}
      disabled={disabled}
      onClick={(event) => {
        // By the keyboard: with nothing to send any more the button cannot keep the focus.
        if (event.detail === 0) field.current?.focus();
        onSend();
      }}
    >
      <ArrowUp size={16} aria-hidden="true" />
      <span className={WORDS}>{words}</span>
    </Button>
  );
}

/** What can be done with the words that are typed while something is asked. */
export function AnswerControls({
  answering: { question, busy: answered, say },
  empty,
  busy,
  onQueue,
  onStop,
}: {
  answering: Answering;
  /** Nothing is typed. */
  empty: boolean;
  /** They are being queued. */
  busy: boolean;
  onQueue: () => void;
  onStop: () => void;
}) {
  const approval = question.kind === "approval";
  return (
    <>
      {!empty && (
        <Button
          kind="quiet"
          disabled={busy || answered}
          title="Keep this as your next message; the question stays"
          onClick={onQueue}
        >
          Queue
        </Button>
      )}
      <span className="flex-1" />
      <StopButton onStop={onStop} />
      <Button
        kind={approval ? "plain" : "primary"}
        disabled={busy || answered || (empty && !approval)}
        onClick={() => say(false)}
      >
        {approval ? "Deny" : "Answer"}
      </Button>
    </>
  );
}
