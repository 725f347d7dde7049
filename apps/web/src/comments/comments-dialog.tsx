import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { beginThread, readLines, sendThreads } from "../api/comments.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useShownComments } from "../project/comments-store.ts";
import { useMay } from "../project/use-may.ts";
import { Button } from "../ui/button.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { CommentForm } from "./comment-form.tsx";
import { PlaceName, QuotedText } from "./comment-place.tsx";
import { ThreadView } from "./thread-view.tsx";

/** All threads of comments in the project, with a form for a new one if the person has chosen a place for it. */
export default function CommentsDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const threads = useView((view) => view.comments);
  const filesSeq = useView((view) => view.filesSeq);
  const about = useShownComments((state) => state.about);
  const asked = useShownComments((state) => state.thread);
  const mayComment = useMay("project.comment");
  const maySend = useMay("project.edit");
  const [withResolved, setWithResolved] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { act, busy, problem } = useAct();
  const { data: lines } = useQuery({
    queryKey: ["comment-lines", project, filesSeq, threads.size],
    queryFn: ({ signal }) => readLines(project, signal),
    placeholderData: (before) => before,
  });
  const all = [...threads].toReversed();
  const shown = all.filter(([id, { resolved }]) => withResolved || !resolved || id === asked);
  const hidden = all.length - shown.length;
  const toSend = [...threads.keys()].filter((id) => chosen.has(id));
  const send = () =>
    act(async () => {
      await sendThreads(project, toSend);
      setChosen(new Set());
      notice(words.comments.sentNotice);
      onClose();
    });
  return (
    <DialogBox
      onClose={onClose}
      title={words.comments.title}
      className="top-[6vh] flex max-h-[88vh] w-140 max-w-[calc(100vw-16px)] flex-col"
    >
      <div className="min-h-0 flex-1 space-y-4 overflow-y-auto p-4">
        {about && mayComment && (
          <section aria-label={words.comments.newOne} className="space-y-2">
            <PlaceName anchor={about} line={about.kind === "line" ? about.line : undefined} />
            <QuotedText anchor={about} />
            <CommentForm
              label={words.comments.newOne}
              action={words.comments.add}
              onTake={async (text) => {
                await beginThread(project, about, text);
                useShownComments.setState({ about: undefined });
              }}
              onCancel={() => useShownComments.setState({ about: undefined })}
            />
          </section>
        )}
        {threads.size === 0 && !about && <p className="text-quiet">{words.comments.none}</p>}
        <ul className="divide-y divide-line">
          {shown.map(([id, thread]) => (
            <ThreadView
              key={id}
              id={id}
              thread={thread}
              line={lines?.get(id)}
              isPlaced={lines?.has(id) === true}
              isAsked={id === asked}
              isChosen={chosen.has(id)}
              onChoose={
                maySend &&
                (() =>
                  setChosen((before) => {
                    const next = new Set(before);
                    if (!next.delete(id)) next.add(id);
                    return next;
                  }))
              }
              onLeave={onClose}
            />
          ))}
        </ul>
        {(hidden > 0 || withResolved) && (
          <Button kind="quiet" onClick={() => setWithResolved(!withResolved)}>
            {withResolved
              ? words.comments.hideResolved
              : words.comments.showResolved({ amount: hidden })}
          </Button>
        )}
      </div>
      {maySend && threads.size > 0 && (
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line p-3">
          {problem && (
            <p role="alert" className="mr-auto text-small text-failed">
              {problem}
            </p>
          )}
          <Button
            kind="primary"
            size="medium"
            disabled={busy || toSend.length === 0}
            title={toSend.length === 0 ? words.comments.chooseFirst : undefined}
            onClick={() => void send()}
          >
            {words.comments.send({ amount: toSend.length })}
          </Button>
        </div>
      )}
    </DialogBox>
  );
}
