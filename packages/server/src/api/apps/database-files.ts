import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { isSqliteFile } from "@treadle/protocol/project-path";
import type { Context } from "hono";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createRoute, ProjectParams, answers, bytes, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import type { Services } from "../services.ts";
import { streamBody } from "../stream-body.ts";

/** Maximum sizes in bytes. An uploaded database is streamed to the disk; CSV is read into memory inside the sandbox. */
const DATABASE_BYTES = 512 * 1024 * 1024;
const CSV_BYTES = 32 * 1024 * 1024;

const Query = z.object({
  environment: z.enum(["preview", "published"]),
  path: z.string().openapi({ description: "The database's path, as in the list." }),
  table: z.string().min(1).max(500).optional().openapi({
    description: "Only this table, as CSV with a header line.",
  }),
});
const path = "/api/projects/{id}/databases/content";

/** Routes that download and upload an app's databases as files. */
export function databaseFileRoutes(
  app: OpenAPIHono,
  { databases }: Pick<Services, "databases">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.edit",
      summary:
        "Downloads a database of the app: SQLite as a file, PostgreSQL as SQL, or one table as CSV.",
      request: { params: ProjectParams, query: Query },
      responses: {
        200: {
          description: "A download.",
          content: {
            "application/vnd.sqlite3": { schema: bytes },
            "application/sql": { schema: z.string() },
            "text/csv": { schema: z.string() },
          },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { environment, path: at, table } = c.req.valid("query");
      const { id } = c.req.valid("param");
      const stream = await databases.download(id, environment, at, table);
      const [type, ending] = isSqliteFile(at)
        ? ["application/vnd.sqlite3", "sqlite"]
        : ["application/sql", "sql"];
      const name = at.slice(at.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
      return c.body(streamBody(stream.pieces, stream.close), 200, {
        "content-type": table === undefined ? type! : "text/csv; charset=utf-8",
        "content-length": String(stream.size),
        "content-disposition": attachment(
          table === undefined ? `${name}-${environment}.${ending}` : `${table}.csv`,
        ),
        "cache-control": "no-store",
      });
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path,
      action: "project.edit",
      summary:
        "Replaces a database with an uploaded SQLite file of at most 512 MB or, for PostgreSQL, SQL of at most 128 MB in the format of the download, and saves a copy of the old one. With a table, adds the rows of a CSV of at most 32 MB, all or none. 422 `database` with the database's message.",
      request: {
        params: ProjectParams,
        query: Query,
        body: {
          content: {
            "application/octet-stream": { schema: bytes },
            "text/csv": { schema: z.string() },
          },
        },
      },
      responses: answers(z.object({ said: z.string() }), "What was done."),
    }),
    async (c) => {
      const { environment, path: at, table } = c.req.valid("query");
      const limit = table === undefined ? DATABASE_BYTES : CSV_BYTES;
      const { id } = c.req.valid("param");
      const result = await databases.upload(id, environment, at, sent(c, limit), table);
      return c.json({ said: result }, 200);
    },
  );
}

/** Streams the body. The limit counts the received bytes, whatever length was declared. */
async function* sent(c: Context, limit: number): AsyncGenerator<Uint8Array> {
  const refuse = () => {
    throw new ApiFailure(
      413,
      "too-large",
      sentence("too-large", { what: "database", limit: `${limit / 1024 / 1024} MB` }),
    );
  };
  if (Number(c.req.header("content-length") ?? 0) > limit) refuse();
  let taken = 0;
  for await (const piece of c.req.raw.body ?? []) {
    taken += piece.byteLength;
    if (taken > limit) refuse();
    yield piece;
  }
}
