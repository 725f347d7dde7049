import type { Accounts } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { AuditEntry as Entry, AuditFilter } from "@treadle/protocol";
import { Readable } from "node:stream";
import { answers, createRoute, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import type { Services } from "../services.ts";
import { AuditEntry } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

/** Entries that are read from the store at once. */
const BATCH = 500;

const Filter = z.object({
  person: z.string().max(100).optional(),
  action: z.string().max(100).optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
}) satisfies z.ZodType<AuditFilter>;

/** The audit log: a page of it, or all of it as a file. */
export function auditRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/audit",
      action: "audit.read",
      summary:
        "The audit log, newest first: of one person, one action, or a span of time; with `before` the entries before that one.",
      request: {
        query: Filter.extend({
          before: z.string().max(100).optional(),
          limit: z.coerce.number().int().min(1).max(1000).optional(),
        }),
      },
      responses: answers(z.object({ entries: z.array(AuditEntry) }), "The entries."),
    }),
    async (c) => {
      const { before, limit = 100, ...filter } = c.req.valid("query");
      const entries = await accountsOf(services).audit.read({ filter, before, limit });
      return c.json({ entries }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/audit/export",
      action: "audit.read",
      summary: "The audit log as JSON Lines, newest first, with the same filters.",
      request: { query: Filter },
      responses: {
        200: {
          content: { "application/x-ndjson": { schema: AuditEntry } },
          description: "A download.",
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const lines = linesOf(matching(accountsOf(services), c.req.valid("query")));
      const stream = Readable.toWeb(Readable.from(lines)) as ReadableStream<Uint8Array>;
      return c.body(stream, 200, {
        "content-type": "application/x-ndjson",
        "content-disposition": attachment("treadle-audit.jsonl"),
        "cache-control": "no-store",
      }) as never;
    },
  );
}

/** All entries that match, the newest first, read as far as they are asked for. */
async function* matching({ audit }: Accounts, filter: AuditFilter): AsyncGenerator<Entry> {
  for (let before: string | undefined; ;) {
    const batch = await audit.read({ filter, before, limit: BATCH });
    yield* batch;
    if (batch.length < BATCH) return;
    before = batch.at(-1)!.id;
  }
}

const encoder = new TextEncoder();

async function* linesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) yield encoder.encode(`${JSON.stringify(entry)}\n`);
}
