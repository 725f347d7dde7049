import { Readable } from "node:stream";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "@treadle/common";
import { transcriptLines, importLog, logLines, conversationMarkdown } from "@treadle/transcripts";
import { wholeLog } from "@treadle/store";
import { createRoute, created, ProjectParams, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import { NAME_LIMIT, plainName } from "../../project-context/project-name.ts";
import type { Services } from "../services.ts";

const NDJSON: string = "application/x-ndjson";

/** Routes that export a project's conversation, log and recorded turns, and import a log. */
export function transcriptRoutes(
  app: OpenAPIHono,
  { store, projects, transcriptOf }: Services,
): void {
  const download = (name: string, type: string, pieces: AsyncIterable<string>) =>
    new Response(Readable.toWeb(Readable.from(encoded(pieces))) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": type,
        "content-disposition": attachment(name),
        "cache-control": "no-store",
      },
    });
  const fileName = (name: string) => name.replace(/[/\\:*?"<>|]+/g, "-").trim() || "project";
  const recordOf = async (id: string) => {
    const record = await store.projects.get(id);
    if (!record) throw notFound("project");
    return record;
  };
  const types = {
    "conversation.md": "text/markdown",
    "conversation.json": "application/json",
    "log.jsonl": "application/x-ndjson",
  } as const;
  const route = (path: keyof typeof types, summary: string) =>
    createRoute({
      method: "get",
      path: `/api/projects/{id}/${path}`,
      action: "project.export",
      summary,
      request: { params: ProjectParams },
      responses: {
        200: { content: { [types[path]]: { schema: z.string() } }, description: "A download." },
        ...mayFail,
      },
    });

  app.openapi(route("conversation.md", "The conversation as Markdown."), async (c) => {
    const { id, name } = await recordOf(c.req.valid("param").id);
    const pieces = conversationMarkdown(name, wholeLog(store, id));
    return download(`${fileName(name)}.md`, "text/markdown; charset=utf-8", pieces);
  });
  app.openapi(
    route("conversation.json", "The conversation as JSON: the messages as the model is told them."),
    async (c) => {
      const { id, name } = await recordOf(c.req.valid("param").id);
      const messages = await store.messages.list(id);
      const text = `${JSON.stringify({ name, messages }, null, 2)}\n`;
      return download(`${fileName(name)}.json`, "application/json", Readable.from([text]));
    },
  );
  app.openapi(
    route("log.jsonl", "The project's whole log as JSON Lines, which can be imported again."),
    async (c) => {
      const record = await recordOf(c.req.valid("param").id);
      return download(`${fileName(record.name)}.jsonl`, "application/x-ndjson", logLines(store, record)); // prettier-ignore
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/transcript.jsonl",
      action: "project.export",
      summary:
        "Downloads the recorded turns, with the model's requests and answers, for a replay by another version. Keys and secrets are masked. 409 `not-recorded` if there are none.",
      request: {
        params: ProjectParams,
        query: z.object({
          run: z.string().max(80).optional().openapi({ description: "Only the turn of this run." }),
        }),
      },
      responses: {
        200: { content: { [NDJSON]: { schema: z.string() } }, description: "A download." },
        ...mayFail,
      },
    }),
    async (c) => {
      const record = await recordOf(c.req.valid("param").id);
      const transcript = await transcriptOf(record, c.req.valid("query").run);
      const pieces = Readable.from(transcriptLines(transcript)) as AsyncIterable<string>;
      const name = `${fileName(record.name)}.transcript.jsonl`;
      return download(name, NDJSON, pieces);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/import/log",
      action: "projects.create",
      summary:
        "Creates a project with the conversation of an exported log. Permissions, questions and references of that log are not imported. If a line is invalid, nothing is created.",
      request: { body: { content: { "application/octet-stream": { schema: z.string() } } } },
      responses: created(z.object({ id: z.string(), entries: z.number() }), "The project."),
    }),
    async (c) => {
      const imported = await importLog(store, c.req.raw.body ?? Readable.from([]), {
        create: async (written) => {
          const name = plainName(written).slice(0, NAME_LIMIT).toWellFormed();
          return (await projects.create({ name: name || "Imported project" })).id;
        },
        remove: (id) => projects.remove(id),
      });
      return c.json(imported, 201);
    },
  );
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}
