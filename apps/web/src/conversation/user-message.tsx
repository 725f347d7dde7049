import type { MentionedItem, PictureInfo } from "@treadle/protocol";
import { memo, useState } from "react";
import { MessageActions } from "./message-actions.tsx";
import { Markdown } from "./markdown.tsx";
import { MentionedNotes } from "../prompt/mentioned-notes.tsx";
import { MentionedText } from "../prompt/mentioned-text.tsx";
import { SentPictures } from "../pictures/sent-pictures.tsx";
import { words } from "../words/words.ts";

/** Characters of a message that are shown before it is folded. */
const SHOWN = 1200;

/** What the person said, as it was typed; a very long one is folded. */
export const UserMessage = memo(function UserMessage({
  text: said,
  toCarryOut,
  pictures,
  mentioned,
}: {
  text: string;
  /** The plan that they ask to carry out: nothing in it points at anything. */
  toCarryOut?: string;
  pictures?: readonly PictureInfo[];
  mentioned?: readonly MentionedItem[];
}) {
  const [whole, setWhole] = useState(false);
  const text = toCarryOut ?? said;
  const long = text.length > SHOWN;
  const shown = long && !whole ? `${text.slice(0, SHOWN)}…` : text;
  return (
    <div className="group/message relative border-l-2 border-accent py-0.5 pl-3">
      {toCarryOut === undefined && <MessageActions text={said} />}
      <h2 className="text-small text-quiet">{words.conversation.you}</h2>
      <p dir="auto" className="font-medium break-words whitespace-pre-wrap">
        {toCarryOut === undefined ? <MentionedText text={shown} /> : said}
      </p>
      {toCarryOut !== undefined && <Markdown text={shown} streaming={false} />}
      {pictures && pictures.length > 0 && <SentPictures pictures={pictures} />}
      {long && (
        <button
          type="button"
          className="mt-1 text-small text-quiet hover:text-ink hover:underline"
          onClick={() => setWhole(!whole)}
        >
          {whole
            ? words.conversation.showLess
            : words.conversation.showAll({ amount: text.length })}
        </button>
      )}
      {mentioned && mentioned.length > 0 && <MentionedNotes items={mentioned} />}
    </div>
  );
});
