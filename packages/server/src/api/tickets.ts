import { LOCAL_OWNER } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, created } from "./describe.ts";
import type { Services } from "./services.ts";

/**
 * The route for one-time tickets with which the person's programs open the page, so that the token never appears in
 * another program's arguments.
 */
export function ticketRoutes(app: OpenAPIHono, { ticket, origin }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/tickets",
      action: "account.change",
      summary:
        "Creates a ticket that signs a browser in once, within a minute, as `?ticket=` in any address of the page.",
      responses: created(
        z.object({ ticket: z.string(), origin: z.string() }),
        "The ticket, and the origin of the page that takes it.",
      ),
    }),
    (c) => {
      const principal = c.get("principal")!;
      return c.json(
        {
          ticket: ticket(principal === LOCAL_OWNER ? undefined : principal.person),
          origin: origin(),
        },
        201,
      );
    },
  );
}
