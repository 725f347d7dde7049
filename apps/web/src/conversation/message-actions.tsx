import { Pencil } from "lucide-react";
import { typeForPerson } from "../project/typed-store.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";

/** Seen where the pointer is or the keyboard: they are for a message and not part of what it says. */
const SEEN =
  "opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100 pointer-coarse:opacity-100";

/** What can be done with something that the person said. */
export function MessageActions({ text }: { text: string }) {
  return (
    <span className={`absolute top-1 right-1 flex rounded bg-raised ${SEEN}`}>
      <CopyButton name={words.conversation.copyMessage} text={() => text} />
      <IconButton name={words.conversation.editAgain} onClick={() => typeForPerson(text)}>
        <Pencil size={14} aria-hidden="true" />
      </IconButton>
    </span>
  );
}

/** The same of what the model said. */
export function AnswerActions({ text }: { text: () => string }) {
  return (
    <span className={`absolute -top-1 -right-1 rounded bg-paper ${SEEN}`}>
      <CopyButton name={words.conversation.copyAnswer} text={text} />
    </span>
  );
}
