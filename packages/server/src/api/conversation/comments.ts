import { z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  COMMENT_CHARS,
  composeRequest,
  createProjectComments,
  SENT_THREADS,
  type CommentedProject,
} from "@treadle/comments";
import { followLine } from "@treadle/protocol/comments";
import { withoutControls } from "@treadle/protocol/safe-text";
import { checkPath, readNow, textOf } from "@treadle/workspace";
import type { Context } from "hono";
import { currentAuthor } from "@treadle/accounts";
import type { ProjectRuntime } from "../../runtime/types.ts";
import {
  accepted,
  answers,
  answersOk,
  body,
  createRoute,
  created,
  ProjectParams,
} from "../describe.ts";
import { Sent } from "../schemas.ts";
import type { Services } from "../services.ts";

const Text = z
  .string()
  .transform((text) => withoutControls(text).trim())
  .pipe(z.string().min(1).max(COMMENT_CHARS))
  .openapi({ type: "string", description: "1 to 4,000 characters." });
const Place = z.string().max(2_000);
const Element = z.object({
  kind: z.literal("element"),
  page: Place,
  tag: z.string().min(1).max(60),
  label: z.string().max(80),
  text: z.string().max(200),
  path: z.array(z.tuple([z.string().max(60), z.number().int().min(0)])).max(200),
  source: Place.optional(),
});
const AtCheckpoint = z.object({ kind: z.literal("checkpoint"), checkpoint: z.string().max(100) });
const Anchor = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("line"),
    path: Place.min(1),
    line: z.number().int().min(1),
    text: z.string().openapi({ description: "The line as it was shown." }),
  }),
  Element,
  AtCheckpoint,
]);
const Author = z.object({ id: z.string(), name: z.string() });
const Thread = z
  .object({
    id: z.string(),
    anchor: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("line"),
        path: z.string(),
        text: z.string(),
        line: z.number().int().optional().openapi({
          description: "Where the line is now, counted from 1; absent if it is gone.",
        }),
      }),
      Element,
      AtCheckpoint,
    ]),
    comments: z.array(
      z.object({
        id: z.string(),
        by: Author.optional(),
        at: z.number(),
        text: z.string(),
        editedAt: z.number().optional(),
        deleted: z.literal(true).optional(),
      }),
    ),
    resolved: z.object({ by: Author.optional(), at: z.number() }).optional(),
    sent: z.object({ message: z.string(), at: z.number() }).optional(),
  })
  .openapi("CommentThread");
const Written = z.object({ thread: z.string(), comment: z.string() });

const path = "/api/projects/{id}/comments";
const ThreadParams = ProjectParams.extend({ thread: z.string().max(40) });
const CommentParams = ThreadParams.extend({ comment: z.string().max(40) });

/** Routes for comments on lines, elements and checkpoints. Pages also read them from the log. */
export function commentRoutes(
  app: OpenAPIHono,
  { runtimes, projects, store, accounts }: Services,
): void {
  const authorNow = accounts ? currentAuthor(accounts.people) : async () => undefined;

  async function open(c: Context) {
    const id = c.req.param("id")!;
    const project = commented(await runtimes.get(id));
    const by = await authorNow();
    return { id, project, by, comments: createProjectComments(project, by) };
  }
  /** Resolves once what was appended is durable. */
  const settled = (id: string) => store.log.settled(id);

  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.view",
      summary: "Lists the threads of comments, and where the lines that they are about are now.",
      request: { params: ProjectParams },
      responses: answers(z.object({ threads: z.array(Thread) }), "The oldest first."),
    }),
    async (c) => {
      const { project } = await open(c);
      return c.json({ threads: await threadsOf(project) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      action: "project.comment",
      summary:
        "Begins a thread on a line, an element or a checkpoint. 409 if the line has changed.",
      request: { params: ProjectParams, body: body(z.object({ anchor: Anchor, text: Text })) },
      responses: created(Written, "The thread and its comment."),
    }),
    async (c) => {
      const { id, comments } = await open(c);
      const { anchor, text } = c.req.valid("json");
      const place = anchor.kind === "line" ? { ...anchor, path: checkPath(anchor.path) } : anchor;
      const written = await comments.begin(place, text);
      await settled(id);
      return c.json(written, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/send`,
      action: ["project.edit", "project.comment"],
      summary: "Sends threads to the model as one message, which quotes what they are about.",
      request: {
        params: ProjectParams,
        body: body(z.object({ threads: z.array(z.string().max(40)).min(1).max(SENT_THREADS) })),
      },
      responses: accepted(Sent, "It is durable."),
    }),
    async (c) => {
      const { id, project, by, comments } = await open(c);
      const { threads } = c.req.valid("json");
      const text = await composeRequest(project, threads, by);
      const after = await store.log.head(id);
      const sent = await projects.queueMessage(id, { text });
      comments.markSent(threads, sent.message);
      await settled(id);
      return c.json({ ...sent, after }, 202);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{thread}`,
      action: "project.comment",
      summary: "Replies in a thread, which opens it again if it was resolved.",
      request: { params: ThreadParams, body: body(z.object({ text: Text })) },
      responses: created(Written, "The comment."),
    }),
    async (c) => {
      const { id, comments } = await open(c);
      const written = comments.reply(c.req.valid("param").thread, c.req.valid("json").text);
      await settled(id);
      return c.json(written, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/{thread}/resolved`,
      action: "project.comment",
      summary: "Resolves a thread, or opens it again.",
      request: { params: ThreadParams, body: body(z.object({ resolved: z.boolean() })) },
      responses: answersOk,
    }),
    async (c) => {
      const { id, comments } = await open(c);
      comments.resolve(c.req.valid("param").thread, c.req.valid("json").resolved);
      await settled(id);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: `${path}/{thread}/{comment}`,
      action: "project.comment",
      summary: "Changes the text of one's own comment.",
      request: { params: CommentParams, body: body(z.object({ text: Text })) },
      responses: answersOk,
    }),
    async (c) => {
      const { id, comments } = await open(c);
      const { thread, comment } = c.req.valid("param");
      comments.edit(thread, comment, c.req.valid("json").text);
      await settled(id);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${path}/{thread}/{comment}`,
      action: "project.comment",
      summary: "Deletes one's own comment; an owner of the project deletes any.",
      request: { params: CommentParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, comments } = await open(c);
      const { thread, comment } = c.req.valid("param");
      const decision = await c
        .get("authority")
        .decide(c.get("principal"), "project.configure", { project: id });
      comments.remove(thread, comment, decision === "allowed");
      await settled(id);
      return c.json({ ok: true as const }, 200);
    },
  );
}

/** The parts of a project that comments need. A file is read as undefined if it is missing or not text. */
function commented({ view, append, workspace }: ProjectRuntime): CommentedProject {
  return {
    view,
    append,
    async read(asked) {
      const found = await readNow(await workspace(), asked);
      const content = found && textOf(found.bytes);
      return found && content !== undefined ? { content, version: found.version } : undefined;
    },
  };
}

async function threadsOf({ view, read }: CommentedProject): Promise<z.infer<typeof Thread>[]> {
  const files = new Map<string, ReturnType<CommentedProject["read"]>>();
  return Promise.all(
    [...view.comments].map(async ([id, { anchor, comments, resolved, sent }]) => {
      const thread = { id, comments: [...comments], resolved, sent };
      if (anchor.kind !== "line") return { ...thread, anchor };
      const { path: file, text } = anchor;
      if (!files.has(file))
        files.set(
          file,
          read(file).catch(() => undefined),
        );
      const now = await files.get(file);
      const line =
        now && (now.version === anchor.version ? anchor.line : followLine(anchor, now.content));
      return { ...thread, anchor: { kind: "line" as const, path: file, text, line } };
    }),
  );
}
