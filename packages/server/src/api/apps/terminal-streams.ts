import { sentence } from "@treadle/protocol/sentences";
import { randomBytes } from "node:crypto";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import {
  createTerminalStream,
  joinTerminal,
  readSize,
  sourceOf,
  type TerminalStream,
} from "@treadle/terminals";
import { createRoute, answersOk, TerminalParams, mayFail } from "../describe.ts";
import type { Services } from "../services.ts";
import { personOfRequest } from "./terminals.ts";

/** Maximum number of terminals that are streamed at a time, to all pages together. */
export const TERMINAL_STREAMS = 64;
/** Maximum number of messages per request, and their length in characters. */
const MESSAGES = 256;
const MESSAGE_CHARACTERS = 1024 * 1024;

/**
 * Routes for terminals in networks that block WebSockets: output arrives as server-sent events, input is sent with
 * POST. Disconnecting does not end the shell.
 */
export function terminalStreamRoutes(app: OpenAPIHono, { runtimes, accounts }: Services): void {
  const personOf = personOfRequest(accounts);
  const open = new Map<string, { place: string; stream: TerminalStream }>();
  const placeOf = ({ id, terminal }: { id: string; terminal: string }) => `${id}/${terminal}`;

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/terminals/{terminal}/events",
      action: "project.terminals",
      summary:
        "Streams a terminal's output as server-sent events, for networks that block WebSockets. The first event, `joined`, has the `key` for input; each `message` is one of the socket's; `close` has its code.",
      request: {
        params: TerminalParams,
        query: z.object({ columns: z.string().optional(), rows: z.string().optional() }),
      },
      responses: {
        200: {
          description: "Server-sent events.",
          content: { "text/event-stream": { schema: z.string() } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const params = c.req.valid("param");
      const { columns, rows } = c.req.valid("query");
      const runtime = await runtimes.get(params.id).catch(() => undefined);
      if (!runtime) throw notFound("project");
      if (open.size >= TERMINAL_STREAMS)
        throw new ApiFailure(
          503,
          "too-many",
          sentence("limit-reached", { what: "streams", limit: TERMINAL_STREAMS }),
        );
      const person = await personOf(c);
      const key = randomBytes(16).toString("base64url");
      const stream = createTerminalStream(key, () => open.delete(key));
      open.set(key, { place: placeOf(params), stream });
      joinTerminal(stream.socket, sourceOf(runtime), params.terminal, {
        size: readSize(columns, rows),
        person,
      }).catch(() => stream.socket.close(1011, "failed"));
      return c.body(stream.body, 200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      }) as never;
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/terminals/{terminal}/input",
      action: "project.terminals",
      summary: "Sends input to a terminal whose output is read as server-sent events.",
      request: {
        params: TerminalParams,
        body: {
          required: true,
          content: {
            "application/json": {
              schema: z.object({
                key: z.string().max(64),
                messages: z.array(z.string().max(MESSAGE_CHARACTERS)).max(MESSAGES),
              }),
            },
          },
        },
      },
      responses: answersOk,
    }),
    (c) => {
      const { key, messages } = c.req.valid("json");
      const there = open.get(key);
      if (there?.place !== placeOf(c.req.valid("param"))) throw notFound("terminal");
      for (const message of messages) there.stream.take(message);
      return c.json({ ok: true as const }, 200);
    },
  );
}
