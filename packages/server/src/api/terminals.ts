import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { answers, answersOk, ProjectParams, TerminalParams } from "./describe.ts";
import type { Services } from "./services.ts";

/** A project's terminals; what is typed and printed goes over a WebSocket at `/api/projects/{id}/terminals/{terminal}`, or by `terminal-streams.ts`. */
export function terminalRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/terminals",
      summary: "Names of the terminals that have a shell, or text of one that ended.",
      request: { params: ProjectParams },
      responses: answers(z.object({ terminals: z.array(z.string()) }), "The names."),
    }),
    async (c) => {
      const { terminals } = await runtimes.of(c.req.valid("param").id);
      return c.json({ terminals: await terminals.list() }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/terminals/{terminal}",
      summary: "Ends a terminal's shell with all it started, and forgets its text.",
      request: { params: TerminalParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, terminal } = c.req.valid("param");
      await (await runtimes.of(id)).terminals.end(terminal);
      return c.json({ ok: true as const }, 200);
    },
  );
}
