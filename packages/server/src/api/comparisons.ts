import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { Comparison, StartComparison } from "./comparison-schemas.ts";
import { answers, answersOk, body, created } from "./describe.ts";
import type { Services } from "./services.ts";

const Params = z.object({ comparison: z.string().max(100) });

/** One request, several attempts, side by side. */
export function comparisonRoutes(
  app: OpenAPIHono,
  { comparisons }: Pick<Services, "comparisons">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/comparisons",
      summary: "Comparisons that go on, the newest first.",
      responses: answers(z.object({ comparisons: z.array(Comparison) }), "The comparisons."),
    }),
    async (c) => c.json({ comparisons: await comparisons.list() }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/comparisons",
      summary:
        "Asks several models, or one several times, for the same: each attempt is made in a project of its own, a copy of a project or a new one. Nothing of it reaches that project before an attempt is kept.",
      request: { body: body(StartComparison) },
      responses: created(z.object({ id: z.string() }), "The comparison. Its attempts follow."),
    }),
    async (c) => c.json(await comparisons.start(c.req.valid("json")), 201),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/comparisons/{comparison}",
      summary: "One comparison. What goes on in an attempt is in the log of its project.",
      request: { params: Params },
      responses: answers(Comparison, "The comparison."),
    }),
    async (c) => c.json(await comparisons.get(c.req.valid("param").comparison), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/comparisons/{comparison}/stop",
      summary: "Ends the attempts that go on, and begins no other. What they made stays.",
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
      summary:
        "Keeps an attempt and removes the others. Files and turn of a copy come back into the project that it was copied from, after a checkpoint of how that stands; 409 `changed` where files were changed in both, unless `over`.",
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
      summary: "Keeps none of its attempts: all are removed.",
      request: { params: Params },
      responses: answersOk,
    }),
    async (c) => {
      await comparisons.drop(c.req.valid("param").comparison);
      return c.json({ ok: true as const }, 200);
    },
  );
}
