import { type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, answers } from "../describe.ts";
import { Machine } from "../schemas.ts";
import type { Services } from "../services.ts";

export function machineRoutes(app: OpenAPIHono, { machine }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/machine",
      action: "server.inspect",
      summary: "Versions, and what this machine can and cannot do, as `treadle doctor` says it.",
      responses: answers(Machine, "One check a line, with the command that mends it."),
    }),
    async (c) => c.json(await machine(), 200),
  );
}
