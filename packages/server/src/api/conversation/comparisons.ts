import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { permit } from "../../access/requires.ts";
import { Comparison, StartComparison } from "./comparison-schemas.ts";
import { createRoute, answers, answersOk, body, created } from "../describe.ts";
import type { Services } from "../services.ts";

/** The holder of a comparison that was removed meanwhile: nobody. */
const NOBODY = { person: "" };
const Params = z.object({ comparison: z.string().max(100) });

/** Routes of comparisons: one request, several attempts, side by side. */
export function comparisonRoutes(
  app: OpenAPIHono,
  { comparisons }: Pick<Services, "comparisons">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/comparisons",
      action: "projects.list",
      summary: "Lists active comparisons, newest first.",
      responses: answers(z.object({ comparisons: z.array(Comparison) }), "The comparisons."),
    }),
    async (c) => {
      const [all, authority] = [await comparisons.list(), c.get("authority")];
      const seen = await Promise.all(
        all.map(({ id }) =>
          authority.decide(c.get("principal"), "project.view", comparisons.holderOf(id) ?? NOBODY),
        ),
      );
      return c.json({ comparisons: all.filter((_, index) => seen[index] === "allowed") }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/comparisons",
      action: "projects.create",
      summary:
        "Gives the same task to several models, or several times to one. Each attempt is made in its own project, new or a copy. The original project does not change until an attempt is chosen.",
      request: { body: body(StartComparison) },
      responses: created(z.object({ id: z.string() }), "The comparison. Its attempts follow."),
    }),
    async (c) => {
      const request = c.req.valid("json");
      const { project } = request;
      if (project !== undefined) await permit(c, "project.edit", { project });
      return c.json(await comparisons.start(request), 201);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/comparisons/{comparison}",
      action: "project.view",
      holder: "comparison",
      summary: "One comparison. The events of an attempt are in its project's log.",
      request: { params: Params },
      responses: answers(Comparison, "The comparison."),
    }),
    async (c) => c.json(await comparisons.get(c.req.valid("param").comparison), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/comparisons/{comparison}/stop",
      action: "project.edit",
      holder: "comparison",
      summary: "Stops the active attempts and starts no more. Their files stay.",
      request: { params: Params },
      responses: answersOk,
    }),
    async (c) => {
      await comparisons.stop(c.req.valid("param").comparison);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/comparisons/{comparison}/keep",
      action: "project.edit",
      holder: "comparison",
      summary:
        "Chooses an attempt and removes the others. The changes and the turn of a copy are merged into its original, after a checkpoint of its state. 409 `changed` if changes of both do not fit together, unless `over` is set.",
      request: {
        params: Params,
        body: body(
          z.object({ attempt: z.number().int().min(1).max(100), over: z.boolean().optional() }),
        ),
      },
      responses: answers(z.object({ project: z.string() }), "The project that has it now."),
    }),
    async (c) => {
      const { attempt, over: isOver = false } = c.req.valid("json");
      return c.json(
        await comparisons.keepAttempt(c.req.valid("param").comparison, attempt, isOver),
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/comparisons/{comparison}",
      action: "project.edit",
      holder: "comparison",
      summary: "Discards all of its attempts.",
      request: { params: Params },
      responses: answersOk,
    }),
    async (c) => {
      await comparisons.drop(c.req.valid("param").comparison);
      return c.json({ ok: true as const }, 200);
    },
  );
}
