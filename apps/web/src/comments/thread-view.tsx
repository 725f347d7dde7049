import type { Comment, CommentThread } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useEffect, useRef, useState } from "react";
import { useMe } from "../api/account.ts";
import { deleteComment, editComment, replyTo, resolveThread } from "../api/comments.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useMay } from "../project/use-may.ts";
import { useWork } from "../project/work-store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { formatAgo } from "../ui/format.ts";
import { Check, Pencil, Trash2 } from "../ui/icons.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { CommentForm } from "./comment-form.tsx";
import { PlaceName, QuotedText } from "./comment-place.tsx";

const MINUTE_MS = 60_000;

/** Whether the turn in which the thread was sent to the model ended verified. */
const useIsAddressed = (sent: CommentThread["sent"]): boolean =>
  useView(({ turns }) => {
    if (!sent) return false;
    const turn = turns.findLast(
      ({ message, items }) =>
        message === sent.message ||
        items.some((item) => item.kind === "said" && item.message === sent.message),
    );
    return turn?.end?.verdict === "verified";
  });

/** One thread: its place, its comments and its actions. */
export function ThreadView({
  id,
  thread,
  line,
  isPlaced,
  isAsked,
  isChosen,
  onChoose,
  onLeave,
}: {
  id: string;
  thread: CommentThread;
  /** The current number of its line; undefined if the line no longer exists, or until it is known. */
  line: number | undefined;
  /** Whether `line` is known. */
  isPlaced: boolean;
  /** Whether to scroll to it. */
  isAsked: boolean;
  isChosen: boolean;
  /** Selects the thread for the message to the model, or deselects it; false if the person may not send it. */
  onChoose: (() => void) | false;
  /** Called when the person opens the place that the thread is about. */
  onLeave: () => void;
}) {
  const project = useProjectId();
  const mayComment = useMay("project.comment");
  const { act, busy, problem } = useAct();
  const [replying, setReplying] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const now = useNow(MINUTE_MS);
  const { anchor, comments, resolved, sent } = thread;
  const isAddressed = useIsAddressed(sent) && !resolved;
  const isGone = anchor.kind === "line" && isPlaced && line === undefined;
  useEffect(() => {
    if (isAsked) row.current?.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  const place = <PlaceName anchor={anchor} line={line} />;
  return (
    <li ref={row} className="space-y-2 py-3" data-thread={id}>
      <div className="flex flex-wrap items-center gap-2">
        {onChoose && (
          <input
            type="checkbox"
            checked={isChosen}
            onChange={onChoose}
            aria-label={words.comments.choose}
            className="size-4 accent-accent"
          />
        )}
        {anchor.kind === "line" && line !== undefined ? (
          <button
            type="button"
            onClick={() => {
              useWork.getState().openFile(anchor.path, { line, column: 1 });
              onLeave();
            }}
            className="rounded text-left underline decoration-line underline-offset-2 hover:text-accent"
          >
            {place}
          </button>
        ) : (
          place
        )}
        {isGone && <span className="text-small text-unsure">{words.comments.gone}</span>}
        {resolved && <span className="text-small text-verified">{words.comments.resolved}</span>}
        {sent && !resolved && (
          <span className="text-small text-quiet">
            {isAddressed ? words.comments.sentVerified : words.comments.sent}
          </span>
        )}
      </div>
      <QuotedText anchor={anchor} />
      <ul className="space-y-2">
        {comments.map((comment) => (
          <CommentLine key={comment.id} thread={id} comment={comment} now={now} />
        ))}
      </ul>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
      {mayComment && replying && (
        <CommentForm
          label={words.comments.reply}
          action={words.comments.reply}
          onTake={async (text) => {
            await replyTo(project, id, text);
            setReplying(false);
          }}
          onCancel={() => setReplying(false)}
        />
      )}
      {mayComment && !replying && (
        <div className="flex gap-2">
          <Button kind="quiet" onClick={() => setReplying(true)}>
            {words.comments.reply}
          </Button>
          <Button
            kind={isAddressed ? "plain" : "quiet"}
            disabled={busy}
            onClick={() => void act(() => resolveThread(project, id, !resolved))}
          >
            {!resolved && <Check size={14} aria-hidden="true" />}
            {resolved ? words.comments.reopen : words.comments.resolve}
          </Button>
        </div>
      )}
    </li>
  );
}

function CommentLine({ thread, comment, now }: { thread: string; comment: Comment; now: number }) {
  const project = useProjectId();
  const me = useMe()?.id;
  const mayComment = useMay("project.comment");
  const mayModerate = useMay("project.configure");
  const [editing, setEditing] = useState(false);
  const { act, busy, problem } = useAct();
  const { id, by, at, text, editedAt, deleted } = comment;
  const isOwn = by === undefined || by.id === me;
  if (deleted) return <li className="text-small text-quiet">{words.comments.deleted}</li>;
  if (editing)
    return (
      <li>
        <CommentForm
          label={words.comments.edit}
          action={words.comments.save}
          start={text}
          onTake={async (next) => {
            await editComment(project, thread, id, next);
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      </li>
    );
  return (
    <li className="group">
      <div className="flex items-center gap-1">
        <p className="numbers min-w-0 flex-1 truncate text-small text-quiet">
          {by && (
            <>
              <bdi className="font-semibold text-ink">
                {isOwn ? words.conversation.you : visibleProse(by.name)}
              </bdi>{" "}
              ·{" "}
            </>
          )}
          {formatAgo(at, now)}
          {editedAt !== undefined && ` · ${words.comments.edited}`}
        </p>
        {mayComment && isOwn && (
          <IconButton name={words.comments.edit} onClick={() => setEditing(true)}>
            <Pencil size={14} aria-hidden="true" />
          </IconButton>
        )}
        {mayComment && (isOwn || mayModerate) && (
          <IconButton
            name={words.comments.delete}
            disabled={busy}
            onClick={() => void act(() => deleteComment(project, thread, id))}
          >
            <Trash2 size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {visibleProse(text)}
      </p>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </li>
  );
}
