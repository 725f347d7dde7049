import type { Accounts, AuditForwarder } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure } from "@treadle/common";
import type {
  AuditEntry as Entry,
  AuditFilter,
  AuditForwarding,
  AuditTargets,
} from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { Readable } from "node:stream";
import { answers, answersOk, body, createRoute, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import type { Services } from "../services.ts";
import { AuditEntry } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

/** Number of entries that are read from the store at once. */
const BATCH = 500;

const Filter = z.object({
  person: z.string().max(100).optional(),
  action: z.string().max(100).optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
}) satisfies z.ZodType<AuditFilter>;

const Targets = z.object({
  webhook: z.object({ url: z.url({ protocol: /^https?$/ }).max(2_000) }).optional(),
  syslog: z
    .object({
      host: z.string().trim().min(1).max(253),
      port: z.number().int().min(1).max(65_535),
      tls: z.boolean(),
    })
    .optional(),
}) satisfies z.ZodType<AuditTargets>;
const Outcome = z.object({ at: z.number(), failure: z.string().optional() });
const Forwarding = Targets.extend({
  isSigned: z.boolean(),
  last: z.object({ webhook: Outcome.optional(), syslog: Outcome.optional() }),
}).openapi("AuditForwarding") satisfies z.ZodType<AuditForwarding>;

/** The forwarder of a server with accounts. @throws ApiFailure 409 `no-accounts` */
function forwarderOf({ auditForwarder }: Services): AuditForwarder {
  if (!auditForwarder) throw new ApiFailure(409, "no-accounts", sentence("no-accounts"));
  return auditForwarder;
}

/** Routes for the audit log: a page of entries, a download of all, and where it is forwarded to. */
export function auditRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/audit/forwarding",
      action: "server.configure",
      summary: "Where entries of the audit log are sent on to, and how the latest attempts ended.",
      responses: answers(Forwarding, "What is absent is off."),
    }),
    async (c) => c.json(await forwarderOf(services).read(), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/audit/forwarding",
      action: "server.configure",
      summary:
        "Sets where entries are sent on to from now on; what is absent is switched off. Without `secret` the webhook keeps the one it has.",
      request: { body: body(Targets.extend({ secret: z.string().min(1).max(1_000).optional() })) },
      responses: answersOk,
    }),
    async (c) => {
      const { secret, ...targets } = c.req.valid("json");
      await forwarderOf(services).set(targets, secret);
      return c.json({ ok: true as const }, 200);
    },
  );
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

/** Yields all entries that match, newest first. Reads only as many as are consumed. */
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
