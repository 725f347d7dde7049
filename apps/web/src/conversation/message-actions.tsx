import { Pencil } from "../ui/icons.ts";
import { typeForPerson } from "../project/typed-store.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";
import { RetryButton } from "./retry-button.tsx";
import { useTurnMessage } from "./turn-message.ts";

/**
 * Seen where the pointer is or the keyboard: they are for a message and not part of what it says. A finger hovers nowhere, so
 * there they are always seen, and what is said flows around them: it would lie under them for good.
 */
const SEEN =
  "opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:static pointer-coarse:float-right pointer-coarse:opacity-100";

/** What can be done with something that the person said. Stands before it, as what is to flow around it has to. */
export function MessageActions({ text }: { text: string }) {
  const message = useTurnMessage();
  return (
    <span className={`absolute top-0 right-0 flex rounded bg-paper ${SEEN}`}>
      <CopyButton name={words.conversation.copyMessage} text={() => text} />
      <IconButton name={words.conversation.editAgain} onClick={() => typeForPerson(text)}>
        <Pencil size={14} aria-hidden="true" />
      </IconButton>
      {message !== undefined && <RetryButton message={message} />}
    </span>
  );
}

/** The same of what the model said. */
export function AnswerActions({ text }: { text: () => string }) {
  const message = useTurnMessage();
  return (
    <span className={`absolute -top-1 -right-1 flex rounded bg-paper ${SEEN}`}>
      <CopyButton name={words.conversation.copyAnswer} text={text} />
      {message !== undefined && <RetryButton message={message} />}
    </span>
  );
}
