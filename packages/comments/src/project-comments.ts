import { randomBytes } from "node:crypto";
import { ApiFailure, notFound } from "@treadle/common";
import type {
  Author,
  CommentAnchor,
  ElementAnchor,
  LogEvent,
  ProjectPath,
} from "@treadle/protocol";
import { lineDigests, lineOf } from "@treadle/protocol/comments";
import type { Comment, CommentThread, ProjectState } from "@treadle/protocol/fold";
import { holdsSecrets } from "@treadle/protocol/project-path";
import { sentence } from "@treadle/protocol/sentences";

/** Maximum length of a comment, in characters. */
export const COMMENT_CHARS = 4_000;
/** Maximum number of threads in a project, and of comments and changes in one thread. */
const THREADS = 1_000;
const THREAD_EVENTS = 400;
/** Characters of a line that are quoted. */
const QUOTED_CHARS = 500;

/** What comments need of their project. */
export interface CommentedProject {
  readonly view: Pick<ProjectState, "comments" | "checkpoints" | "known">;
  append(event: LogEvent): void;
  /** The file's text and version; undefined if there is no such file, or it is no text. */
  read(path: ProjectPath): Promise<{ content: string; version: string } | undefined>;
}

/** What a new thread is about, as a page says it. */
export type NewAnchor =
  /** `text`: the line as it was shown. */
  | { kind: "line"; path: ProjectPath; line: number; text: string }
  | ElementAnchor
  | { kind: "checkpoint"; checkpoint: string };

/** Comments of one project, as one person changes them. Changes are in the log once it has settled. */
export interface ProjectComments {
  /** @throws ApiFailure 409 `changed` if the line has another text by now, 404, or 429 */
  begin(anchor: NewAnchor, text: string): Promise<{ thread: string; comment: string }>;
  /** @throws ApiFailure 404 or 429, as all that follow */
  reply(thread: string, text: string): { thread: string; comment: string };
  /** @throws ApiFailure 403 if the comment is somebody else's */
  edit(thread: string, comment: string, text: string): void;
  /** Deletes one's own comment; whoever may moderate, any. @throws ApiFailure 403 */
  remove(thread: string, comment: string, mayModerate: boolean): void;
  resolve(thread: string, isResolved: boolean): void;
  /** Marks threads as sent with a message. */
  markSent(threads: readonly string[], message: string): void;
}

/** @param by who changes them; undefined on a server of one person */
export function createProjectComments(
  { view, append, read }: CommentedProject,
  by: Author | undefined,
): ProjectComments {
  const author = by ? { by } : {};

  function threadNamed(id: string): CommentThread {
    const thread = view.comments.get(id);
    if (!thread) throw notFound("thread");
    if (thread.events >= THREAD_EVENTS) throw tooMany("comments", THREAD_EVENTS);
    return thread;
  }

  function commentNamed(thread: string, id: string): Comment {
    const comment = threadNamed(thread).comments.find((one) => one.id === id);
    if (!comment || comment.deleted) throw notFound("comment");
    return comment;
  }

  const isOwn = (comment: Comment) => comment.by?.id === by?.id;

  return {
    async begin(asked, text) {
      if (view.comments.size >= THREADS) throw tooMany("threads", THREADS);
      const anchor = await anchorOf(asked, { view, read });
      const [thread, comment] = [newId(), newId()];
      append({ type: "comment", thread, comment, text, anchor, ...author });
      return { thread, comment };
    },
    reply(thread, text) {
      threadNamed(thread);
      const comment = newId();
      append({ type: "comment", thread, comment, text, ...author });
      return { thread, comment };
    },
    edit(thread, comment, text) {
      if (!isOwn(commentNamed(thread, comment))) throw notYours();
      append({ type: "comment-edited", thread, comment, text });
    },
    remove(thread, comment, mayModerate) {
      if (!mayModerate && !isOwn(commentNamed(thread, comment))) throw notYours();
      commentNamed(thread, comment);
      append({ type: "comment-deleted", thread, comment });
    },
    resolve(thread, isResolved) {
      if ((threadNamed(thread).resolved !== undefined) === isResolved) return;
      append({ type: "thread-resolved", thread, isResolved, ...author });
    },
    markSent(threads, message) {
      append({ type: "comments-sent", threads: [...threads], message, ...author });
    },
  };
}

async function anchorOf(
  asked: NewAnchor,
  { view, read }: Pick<CommentedProject, "view" | "read">,
): Promise<CommentAnchor> {
  switch (asked.kind) {
    case "element":
      return asked;
    case "checkpoint":
      if (!view.checkpoints.some(({ checkpoint }) => checkpoint === asked.checkpoint))
        throw notFound("checkpoint");
      return asked;
    case "line": {
      const { path, line } = asked;
      // The log would quote it.
      const file = holdsSecrets(path) ? undefined : await read(path);
      if (!file) throw notFound("file");
      const text = lineOf(file.content, line);
      if (text === undefined || text.slice(0, QUOTED_CHARS) !== asked.text.slice(0, QUOTED_CHARS))
        throw new ApiFailure(409, "changed", sentence("stale", { what: "file" }));
      const digests = lineDigests(file.content);
      return {
        kind: "line",
        path,
        line,
        text: text.slice(0, QUOTED_CHARS),
        version: file.version,
        ...(digests !== undefined && { digests }),
      };
    }
  }
}

const newId = () => `c${randomBytes(9).toString("hex")}`;
const notYours = () => new ApiFailure(403, "not-permitted", sentence("not-permitted"));
const tooMany = (what: "comments" | "threads", limit: number) =>
  new ApiFailure(429, "too-many", sentence("limit-reached", { what, limit }));
