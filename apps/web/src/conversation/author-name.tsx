import type { Author } from "@treadle/protocol";
import { useMe } from "../api/account.ts";
import type { CallItem } from "../fold/types.ts";
import { words } from "../words/words.ts";

const useIsMe = (by: Author | undefined) => useMe()?.id === by?.id;

/** The name of the person who sent a message; "You" for the reader's own messages. */
export function AuthorName({ by }: { by: Author }) {
  return useIsMe(by) ? words.conversation.you : <bdi>{by.name}</bdi>;
}

/** Who answered the approval question of a call, and the text of the answer. Draws nothing if neither is known. */
export function AnswerLine({ call: { answer, answeredBy, status } }: { call: CallItem }) {
  const isMe = useIsMe(answeredBy);
  if (answer === undefined && !answeredBy) return null;
  const name = isMe || !answeredBy ? undefined : answeredBy.name;
  return (
    <p className="mt-1 ml-1.5 max-h-60 overflow-auto border-l border-line pl-3.5 break-words whitespace-pre-wrap">
      <span className="text-quiet">
        {answer !== undefined
          ? name === undefined
            ? words.conversation.youSaid
            : words.conversation.saidBy({ name })
          : (status === "denied" ? words.conversation.deniedBy : words.conversation.approvedBy)({
              name: name ?? words.conversation.you,
            })}
      </span>{" "}
      {answer !== undefined && <bdi>{answer}</bdi>}
    </p>
  );
}
