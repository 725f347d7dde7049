import type { RefObject } from "react";
import { ArrowUp, Split, Square } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { Button, IconButton } from "../ui/button.tsx";
import type { Answering } from "./use-answer.ts";
import { words } from "../words/words.ts";

/** Hides the buttons' labels if the row is too narrow for them, so that it always stays one row. */
const WORDS = "@max-[430px]:sr-only";

/** Stops the active turn. */
export function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <Button {...keysHint("stop", words.conversation.stopTurn)} onClick={onStop}>
      <Square size={14} aria-hidden="true" fill="currentColor" />
      <span className={WORDS}>{words.conversation.stop}</span>
    </Button>
  );
}

/** Sends the typed message as a parallel request; hidden while that is not possible. */
export function ParallelButton({ onStart }: { onStart: (() => void) | undefined }) {
  if (!onStart) return null;
  const { run, runAbout } = words.conversation.parallel;
  return (
    <IconButton {...keysHint("parallel", runAbout)} name={run} onClick={onStart}>
      <Split size={16} aria-hidden="true" />
    </IconButton>
  );
}

/** Sends the typed message. */
export function SendButton({
  name,
  disabled,
  field,
  onSend,
}: {
  name: string;
  disabled: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
}) {
  return (
    <Button
      kind="primary"
      className="pointer-coarse:min-w-11"
      title={name}
      disabled={disabled}
      onClick={(event) => {
        // After a keyboard click: with nothing left to send, the button is disabled and would lose the focus.
        if (event.detail === 0) field.current?.focus();
        onSend();
      }}
    >
      <ArrowUp size={16} aria-hidden="true" />
      <span className={WORDS}>{name}</span>
    </Button>
  );
}

/** The buttons for answering an open question with the typed text. */
export function AnswerControls({
  answering: { question, busy: answered, submit },
  empty,
  busy,
  onQueue,
  onStop,
}: {
  answering: Answering;
  /** Whether the field is empty. */
  empty: boolean;
  /** Whether the text is being queued. */
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
          title={words.conversation.queueAbout}
          onClick={onQueue}
        >
          {words.conversation.queue}
        </Button>
      )}
      <span className="flex-1" />
      <StopButton onStop={onStop} />
      <Button
        kind={approval ? "plain" : "primary"}
        disabled={busy || answered || (empty && !approval)}
        onClick={() => submit(false)}
      >
        {approval ? words.conversation.deny : words.conversation.answer}
      </Button>
    </>
  );
}
