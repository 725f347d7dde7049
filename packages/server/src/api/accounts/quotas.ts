import { z, type OpenAPIHono } from "@hono/zod-openapi";
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
    projectsPerTeam: Limit,
    publishedPerPerson: Limit,
    publishedPerTeam: Limit,
    awakePerPerson: Limit,
    awakePerTeam: Limit,
    diskGibPerPerson: Limit,
    diskGibPerTeam: Limit,
  })
  .openapi("Quotas") satisfies z.ZodType<P.Quotas>;

const QuotaUsage = z
  .object({
    kind: z.enum(["person", "team"]),
    id: z.string(),
    name: z.string(),
    projects: z.number(),
    published: z.number(),
    awake: z.number(),
    disk: z.number(),
  })
  .openapi("QuotaUsage") satisfies z.ZodType<P.QuotaUsage>;

/** Routes for quotas, for what each person uses of them, and for a run's place in the line. */
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
      path: "/api/quotas/usage",
      action: "server.configure",
      summary: "What the projects of each person and team use of the quotas.",
      responses: answers(z.object({ usage: z.array(QuotaUsage) }), "Whoever has a project."),
    }),
    async (c) => {
      const { people, members, quotas } = accountsOf(services);
      const holders = [
        ...(await people.list()).map(({ id, name }) => ({ kind: "person" as const, id, name })),
        ...(await members.teams()).map(({ id, name }) => ({ kind: "team" as const, id, name })),
      ];
      const usage = await Promise.all(
        holders.map(async (holder) => {
          const projects = await quotas.projectsOf(holder);
          const awake = projects.filter((project) => services.runtimes.known(project)?.isAwake());
          const published = projects.filter((project) => services.publications.liveAt(project));
          return {
            ...holder,
            projects: projects.length,
            published: published.length,
            awake: awake.length,
            disk: await quotas.diskOf(holder),
          };
        }),
      );
      return c.json({ usage: usage.filter(({ projects }) => projects > 0) }, 200);
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
      const position = services.line?.positionOf(id);
      return c.json(position === undefined ? {} : { position }, 200);
    },
  );
}
