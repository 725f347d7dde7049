import type { CommentEvent } from "../log/comment.ts";
import type { Draft } from "./draft.ts";
import type { Comment, CommentThread, ProjectState } from "./types.ts";

/** Applies an event about comments; one about an unknown thread or comment changes nothing. */
export function foldComment(draft: Draft<ProjectState>, event: CommentEvent, at: number): void {
  switch (event.type) {
    case "comment": {
      const { thread, comment: id, text, by, anchor } = event;
      const comment: Comment = { id, text, at, by };
      const known = draft.state.comments.get(thread);
      if (known)
        // A reply opens a resolved thread again.
        change(draft, thread, () => ({
          comments: [...known.comments, comment],
          resolved: undefined,
        }));
      else if (anchor)
        draft.own("comments").set(thread, { anchor, comments: [comment], events: 1 });
      return;
    }
    case "comment-edited":
      return changeComment(draft, event, (comment) =>
        comment.deleted ? comment : { ...comment, text: event.text, editedAt: at },
      );
    case "comment-deleted":
      return changeComment(draft, event, ({ id, by, at: since }) => ({
        id,
        by,
        at: since,
        text: "",
        deleted: true,
      }));
    case "thread-resolved":
      return change(draft, event.thread, () => ({
        resolved: event.isResolved ? { by: event.by, at } : undefined,
      }));
    case "comments-sent":
      for (const thread of event.threads)
        change(draft, thread, () => ({ sent: { message: event.message, at } }));
      return;
  }
}

type ThreadChange = {
  [Key in keyof CommentThread]?: CommentThread[Key] | undefined;
};

function change(
  draft: Draft<ProjectState>,
  id: string,
  how: (thread: CommentThread) => ThreadChange,
): void {
  const thread = draft.state.comments.get(id);
  if (!thread) return;
  const { resolved, ...next } = { ...thread, ...how(thread), events: thread.events + 1 };
  draft.own("comments").set(id, {
    ...(next as CommentThread),
    ...(resolved && { resolved }),
  });
}

function changeComment(
  draft: Draft<ProjectState>,
  { thread: id, comment }: { thread: string; comment: string },
  how: (comment: Comment) => Comment,
): void {
  change(draft, id, ({ comments }) => ({
    comments: withoutTrailing(comments.map((one) => (one.id === comment ? how(one) : one))),
  }));
  if (draft.state.comments.get(id)?.comments.length === 0) draft.own("comments").delete(id);
}

/** Deleted comments are shown only where a later one may answer them. */
function withoutTrailing(comments: readonly Comment[]): readonly Comment[] {
  const last = comments.findLastIndex(({ deleted }) => !deleted);
  return comments.slice(0, last + 1);
}
