import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { visibleProjects } from "../access/requires.ts";
import { searchProjects } from "../projects/search-projects.ts";
import { createRoute, body, mayFail } from "./describe.ts";
import { FoundEverywhere } from "./schemas.ts";
import type { Services } from "./services.ts";

/** Maximum length of a search text, in characters. */
const PATTERN = 200;

/** The route that searches the names, messages and files of all projects that the requester may see. */
export function searchEverywhereRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/search",
      action: "projects.list",
      summary:
        "Searches all projects for a text: in names, in messages (each of its words) and in files. One match per line as it is found, with `end` last.",
      request: {
        body: body(
          z.object({
            text: z.string().trim().min(1).max(PATTERN),
            files: z.enum(["all", "awake"]).optional().openapi({
              description:
                "`awake`: only files of projects that run now; the others are not woken. Default: all.",
            }),
          }),
        ),
      },
      responses: {
        200: {
          description: "The matches.",
          content: { "application/x-ndjson": { schema: FoundEverywhere } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const isVisible = await visibleProjects(c);
      const left = new AbortController();
      const signal = AbortSignal.any([left.signal, c.req.raw.signal]);
      const found = searchProjects({ ...services, isVisible }, c.req.valid("json"), signal);
      const encoder = new TextEncoder();
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await found.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
        },
        async cancel() {
          left.abort();
          await found.return();
        },
      });
      return c.body(stream, 200, { "content-type": "application/x-ndjson" }) as never;
    },
  );
}
