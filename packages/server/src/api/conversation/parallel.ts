import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ParallelRequest, StartParallel } from "./comparison-schemas.ts";
import { createRoute, answers, answersOk, body, created, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

const Params = ProjectParams.extend({ request: z.string().max(100) });

/** Routes for requests that run in parallel to a project's own work. */
export function parallelRoutes(
  app: OpenAPIHono,
  { parallel, runtimes }: Pick<Services, "parallel" | "runtimes">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/parallel",
      action: "project.view",
      summary: "Lists the requests that run in parallel, oldest first.",
      request: { params: ProjectParams },
      responses: answers(z.object({ requests: z.array(ParallelRequest) }), "The requests."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await runtimes.get(id);
      return c.json({ requests: parallel.list(id) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/parallel",
      action: "project.edit",
      summary:
        "Starts a request on a copy of the revision that the active turn began with. When it is done, its changes are merged into the project, unless they do not fit or the merged revision fails.",
      request: { params: ProjectParams, body: body(StartParallel) },
      responses: created(
        ParallelRequest,
        "The request. What becomes of it is in the project's log.",
      ),
    }),
    async (c) => c.json(await parallel.start(c.req.valid("param").id, c.req.valid("json")), 201),
  );
  const actions = [
    ["stop", "Stops its turn or its merge. Its copy stays."],
    [
      "take",
      "Merges a request that is held. Files that do not fit together become its own. 409 `not-held` otherwise.",
    ],
    ["redo", "Does it anew on a copy of the current revision. 409 `not-held` while it is active."],
  ] as const;
  for (const [action, summary] of actions)
    app.openapi(
      createRoute({
        method: "post",
        path: `/api/projects/{id}/parallel/{request}/${action}`,
        action: "project.edit",
        summary,
        request: { params: Params },
        responses: answersOk,
      }),
      async (c) => {
        const { id, request } = c.req.valid("param");
        await parallel[action](id, request);
        return c.json({ ok: true as const }, 200);
      },
    );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/parallel/{request}",
      action: "project.edit",
      summary: "Stops it and removes it with its copy.",
      request: { params: Params },
      responses: answersOk,
    }),
    async (c) => {
      const { id, request } = c.req.valid("param");
      await parallel.discard(id, request);
      return c.json({ ok: true as const }, 200);
    },
  );
}
