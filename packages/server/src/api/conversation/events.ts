import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "@treadle/common";
import { createRoute, ProjectParams, mayFail } from "../describe.ts";
import { eventStream } from "./event-stream.ts";
import { latestTurns } from "./latest-turns.ts";
import type { Services } from "../services.ts";

const Number_ = z.coerce.number().int().min(0).optional();

/** The route for the live log. Disconnecting does not stop the run. */
export function eventRoutes(app: OpenAPIHono, { store, runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/events",
      action: "project.view",
      summary:
        "Streams the log after a number (`after`, or the Last-Event-ID header), then live. Each event is a JSON array of entries. Over a WebSocket (with `after`) each message is such an array, an empty one is a heartbeat, and the string `reset` means that the client's number is larger than the log's.",
      request: {
        params: ProjectParams,
        query: z.object({
          after: Number_,
          latest: z.literal("first").optional().openapi({
            description:
              "With `after=0` and a long log: the newest turns come first, as an event (or in a WebSocket an object) `latest`, and then everything from the beginning.",
          }),
        }),
        headers: z.object({
          "last-event-id": Number_.catch(undefined).openapi({ type: "integer", minimum: 0 }),
        }),
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
      const { id } = c.req.valid("param");
      const runtime = await runtimes.get(id).catch(() => undefined);
      if (!runtime) throw notFound("project");
      // Somebody views the project, so its server is woken. The wake-up is reported in the log and not awaited.
      runtime.wake().catch(() => undefined);
      const asked = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").after ?? 0;
      const { latest } = c.req.valid("query");
      const first = latest && asked === 0 ? await latestTurns(store.log, id) : undefined;
      const reset = asked > (await store.log.head(id));
      const stream = eventStream(
        (listener) =>
          runtime.personPage.following(store.log.follow(id, reset ? 0 : asked, listener)),
        { reset, latest: first, onClose: (close) => runtime.onClose(close) },
      );
      return c.body(stream, 200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      });
    },
  );
}
