import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { created } from "./describe.ts";
import type { Services } from "./services.ts";

/** For programs of the person that open the page: the token itself never stands in another program's arguments. */
export function ticketRoutes(app: OpenAPIHono, { ticket }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/tickets",
      summary:
        "Words that sign a browser in once, within a minute, as `?ticket=` of any address of the page.",
      responses: created(z.object({ ticket: z.string() }), "The words."),
    }),
    (c) => c.json({ ticket: ticket() }, 201),
  );
}
