import { type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, answers } from "./describe.ts";
import { Health } from "./schemas.ts";
import type { Services } from "./services.ts";

export function healthRoutes(app: OpenAPIHono, { health }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/health",
      action: "server.view",
      summary: "Describes what this server can do.",
      responses: answers(Health, "No secrets, no paths."),
    }),
    async (c) => c.json(await health(), 200),
  );
}
