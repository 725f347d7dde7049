import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "@treadle/common";
import type * as P from "@treadle/protocol";
import { answers, answersOk, body, createRoute, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";
import { accountsOf } from "./me.ts";

const Limit = z.number().int().min(1).max(1e6).optional();
const Quotas = z
  .object({
    runs: Limit,
    runsPerPerson: Limit,
    projectsPerPerson: Limit,
    publishedPerPerson: Limit,
  })
  .openapi("Quotas") satisfies z.ZodType<P.Quotas>;

/** How much of the server there is for each person, and a run's place in the line. */
export function quotaRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/quotas",
      action: "server.configure",
      summary: "How many runs, projects and published apps there may be.",
      responses: answers(Quotas, "What is absent is not limited."),
    }),
    async (c) => c.json(await accountsOf(services).quotas.read(), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/quotas",
      action: "server.configure",
      summary: "Sets the quotas; what is absent is not limited, and runs have their default.",
      request: { body: body(Quotas) },
      responses: answersOk,
    }),
    async (c) => {
      await accountsOf(services).quotas.set(c.req.valid("json"));
      await services.line?.limitsChanged();
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/line",
      action: "project.view",
      summary: "The place of the project's waiting run in the line of all runs.",
      request: { params: ProjectParams },
      responses: answers(z.object({ position: z.number().optional() }), "From 1; absent if none waits."), // prettier-ignore
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      if (!(await services.store.projects.get(id))) throw notFound("project");
      const position = services.line?.positionOf(id);
      return c.json(position === undefined ? {} : { position }, 200);
    },
  );
}
