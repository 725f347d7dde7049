import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

const Environment = z.enum(["preview", "published"]);

const Database = z
  .object({
    environment: Environment,
    kind: z.enum(["sqlite", "postgres"]),
    path: z.string(),
    bytes: z.number().optional(),
  })
  .openapi("Database") satisfies z.ZodType<P.Database>;

const Cell = z
  .union([
    z.string(),
    z.number(),
    z.null(),
    z.object({ long: z.string(), length: z.number() }),
    z.object({ bytes: z.number() }),
    z.object({ integer: z.string() }),
  ])
  .openapi("Cell") satisfies z.ZodType<P.Cell>;

const Table = z
  .object({
    name: z.string(),
    kind: z.enum(["table", "view"]),
    rows: z.number().optional(),
    columns: z.array(z.object({ name: z.string(), type: z.string(), key: z.boolean() })),
  })
  .openapi("Table") satisfies z.ZodType<P.Table>;

const name = z.string().max(500);
/** A SQLite row id, or the values of a key as JSON. */
const row = z.string().regex(/^(?:-?\d{1,19}|\[[\s\S]{1,4000}\])$/);

const Question = z
  .discriminatedUnion("ask", [
    z.object({ ask: z.literal("tables") }),
    z.object({
      ask: z.literal("rows"),
      table: name,
      filter: z.string().max(500).optional(),
      order: z.object({ column: name, descending: z.boolean() }).optional(),
      offset: z.number().int().min(0).max(1e12),
    }),
    z.object({
      ask: z.literal("change"),
      table: name,
      row,
      column: name,
      was: Cell,
      to: z.string().max(1_000_000).nullable(),
    }),
    z.object({
      ask: z.literal("add"),
      table: name,
      values: z.record(name, z.string().max(1_000_000)),
    }),
    z.object({ ask: z.literal("remove"), table: name, row }),
    z.object({ ask: z.literal("sql"), sql: z.string().max(100_000) }),
  ])
  .openapi("DatabaseQuestion") satisfies z.ZodType<P.DatabaseQuestion>;

/** Validates the sandbox's answer by its shape, because a program of the project may have written it. */
const Answer = z
  .union([
    z.object({ tables: z.array(Table) }),
    z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(Cell)),
      ids: z.array(z.string()).optional(),
      total: z.number().optional(),
      more: z.boolean(),
    }),
    z.object({ changed: z.number() }),
  ])
  .openapi("DatabaseAnswer") satisfies z.ZodType<P.DatabaseAnswer>;

const path = "/api/projects/{id}/databases";

/** Routes for an app's SQLite and PostgreSQL databases. */
export function databaseRoutes(app: OpenAPIHono, { databases }: Pick<Services, "databases">): void {
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.edit",
      summary:
        "Lists the databases of the project's app: those of the preview, and those of the published app.",
      request: { params: ProjectParams },
      responses: answers(z.object({ databases: z.array(Database) }), "The databases."),
    }),
    async (c) => c.json({ databases: await databases.list(c.req.valid("param").id) }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/questions`,
      action: "project.edit",
      summary:
        "Queries a database in its sandbox: its tables, rows of one, a change of a value, or SQL. 422 `database` with the database's message.",
      request: {
        params: ProjectParams,
        body: body(z.object({ environment: Environment, path: z.string(), question: Question })),
      },
      responses: answers(Answer, "What it says."),
    }),
    async (c) => {
      const asked = c.req.valid("json");
      const answer = await databases.ask(
        c.req.valid("param").id,
        asked.environment,
        asked.path,
        asked.question,
      );
      const parsed = Answer.safeParse(answer);
      if (!parsed.success) throw new ApiFailure(502, "database", sentence("sandbox-odd"));
      return c.json(parsed.data, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/copy`,
      action: "project.edit",
      summary:
        "Replaces a database with an earlier copy (in `.data/copies`), and saves a copy of the present one. 422 `database` with the database's message.",
      request: {
        params: ProjectParams,
        body: body(z.object({ environment: Environment, path: z.string(), copy: z.string() })),
      },
      responses: answers(z.object({ said: z.string() }), "What was done."),
    }),
    async (c) => {
      const { environment, path: file, copy } = c.req.valid("json");
      const { id } = c.req.valid("param");
      return c.json({ said: await databases.goBack(id, environment, file, copy) }, 200);
    },
  );
}
