import { Pencil } from "../ui/icons.ts";
import { insertText } from "../project/inserted-text-store.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";
import { RetryButton } from "./retry-button.tsx";
import { useTurnMessage } from "./turn-message.ts";

/**
 * The style that shows the actions on hover and keyboard focus only, because they are not part of the message. Touch
 * screens have no hover, so there they are always visible, and the text flows around them so that they do not cover it.
 */
const SEEN =
  "opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:static pointer-coarse:float-right pointer-coarse:opacity-100";

/**
 * Actions for a message by the person: copying it, editing it, and sending it again. Comes before the message in the
 * DOM, so that the text can flow around it.
 */
export function MessageActions({ text }: { text: string }) {
  const message = useTurnMessage();
  return (
    <span className={`absolute top-0 right-0 flex rounded bg-paper ${SEEN}`}>
      <CopyButton name={words.conversation.copyMessage} text={() => text} />
      <IconButton name={words.conversation.editAgain} onClick={() => insertText(text)}>
        <Pencil size={14} aria-hidden="true" />
      </IconButton>
      {message !== undefined && <RetryButton message={message} />}
    </span>
  );
}

/** Actions for an answer by the model: copying it, and sending its message again. */
export function AnswerActions({ text }: { text: () => string }) {
  const message = useTurnMessage();
  return (
    <span className={`absolute -top-1 -right-1 flex rounded bg-paper ${SEEN}`}>
      <CopyButton name={words.conversation.copyAnswer} text={text} />
      {message !== undefined && <RetryButton message={message} />}
    </span>
  );
}
