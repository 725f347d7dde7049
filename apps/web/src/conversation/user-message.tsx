import type { Author, MentionedItem, PictureInfo } from "@treadle/protocol";
import { memo, useState } from "react";
import { SentComments, useSentThreads } from "../comments/sent-comments.tsx";
import { AuthorName } from "./author-name.tsx";
import { MessageActions } from "./message-actions.tsx";
import { useLineName } from "./found-line.tsx";
import { Markdown } from "./markdown.tsx";
import { MentionedNotes } from "../prompt/mentioned-notes.tsx";
import { MentionedText } from "../prompt/mentioned-text.tsx";
import { SentPictures } from "../pictures/sent-pictures.tsx";
import { words } from "../words/words.ts";

/** Characters of a message that are shown before it is folded. */
const MAX_UNFOLDED_CHARS = 1200;

/** Maximum characters of a request that is shown in the size of a title; longer ones have the size of text. */
const MAX_TITLE_CHARS = 240;

/** A message as it was typed; a very long one is folded. */
export const UserMessage = memo(function UserMessage({
  message,
  text: original,
  by,
  toCarryOut,
  pictures,
  mentioned,
}: {
  /** Its id. */
  message?: string;
  text: string;
  /** Who sent it; undefined if there is only one person. */
  by?: Author | undefined;
  /** The plan that the message asks to carry out. */
  toCarryOut?: string;
  pictures?: readonly PictureInfo[];
  mentioned?: readonly MentionedItem[];
}) {
  const [isExpanded, setIsExpanded] = useState(false);
  const line = useLineName(() => setIsExpanded(true));
  const text = toCarryOut ?? original;
  const threads = useSentThreads(message);
  const isOfComments = threads.length > 0;
  const long = !isOfComments && text.length > MAX_UNFOLDED_CHARS;
  const isRequest = text.length <= MAX_TITLE_CHARS;
  const shown = long && !isExpanded ? `${text.slice(0, MAX_UNFOLDED_CHARS)}…` : text;
  return (
    <div data-line={line} className="group/message relative pt-2 first:pt-0">
      {toCarryOut === undefined && <MessageActions text={original} />}
      {/* Sighted readers recognise the author by the style; a screen reader needs this text. */}
      <h2 className={by ? "text-small text-quiet" : "sr-only"}>
        {by ? <AuthorName by={by} /> : words.conversation.you}
      </h2>
      {isOfComments ? (
        <SentComments threads={threads} />
      ) : (
        <p
          dir="auto"
          className={`break-words whitespace-pre-wrap ${isRequest ? "text-large font-semibold" : "font-medium"}`}
        >
          {toCarryOut === undefined ? <MentionedText text={shown} /> : original}
        </p>
      )}
      {toCarryOut !== undefined && <Markdown text={shown} streaming={false} />}
      {pictures && pictures.length > 0 && <SentPictures pictures={pictures} />}
      {long && (
        <button
          type="button"
          className="mt-1 text-small text-quiet hover:text-ink hover:underline"
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded
            ? words.conversation.showLess
            : words.conversation.showAll({ amount: text.length })}
        </button>
      )}
      {mentioned && mentioned.length > 0 && <MentionedNotes items={mentioned} />}
    </div>
  );
});
