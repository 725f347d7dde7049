import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, answers, ProjectParams } from "./describe.ts";
import { LogEntrySchema } from "./schemas.ts";
import type { Services } from "./services.ts";

/** Routes for the long parts of calls, of which an ended run's log only has head and tail. */
export function callRoutes(app: OpenAPIHono, { store }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/calls/{call}",
      action: "project.view",
      summary:
        "Returns the full log entries of a call that the log shows shortened (those with `cut`): its long arguments, its output and its result.",
      request: { params: ProjectParams.extend({ call: z.string().max(256) }) },
      responses: answers(z.object({ entries: z.array(LogEntrySchema) }), "The entries."),
    }),
    async (c) => {
      const { id, call } = c.req.valid("param");
      return c.json({ entries: await store.log.cutOf(id, call) }, 200);
    },
  );
}
