import { completeCode, EnhanceError, noUsage, projectBudgetReached } from "@treadle/agent";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { holdsSecrets } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { limitsOf } from "../../runs/budget-limits.ts";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

/**
 * Number of characters before and after the cursor that are sent; more distant text matters little.
 */
const BEFORE = 8_000;
const AFTER = 2_000;

/** The route that suggests the next text in the editor; only called if the person enabled that. */
export function completionRoutes(app: OpenAPIHono, { models, runtimes, store }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/completions",
      action: "project.edit",
      summary:
        "Completes the code at the cursor with one model call, which counts towards the project's budget.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            path: z.string().max(1000),
            before: z.string().max(BEFORE),
            after: z.string().max(AFTER),
            model: z.string().max(200).optional(),
          }),
        ),
      },
      responses: answers(
        z.object({ text: z.string() }),
        "The text, empty where the model knows nothing.",
      ),
    }),
    async (c) => {
      const { path, before, after, model } = c.req.valid("json");
      if (holdsSecrets(checkPath(path)))
        throw new ApiFailure(403, "secret", sentence("secret-file", { path }));
      const { id: project } = c.req.valid("param");
      const runtime = await runtimes.get(project);
      const record = await store.projects.get(project);
      if (!record) throw notFound("project");
      const id = model ?? record.model ?? (await models.chosen());
      if (id === undefined)
        throw new ApiFailure(409, "model-missing", sentence("model-missing-for-text"));
      const limits = limitsOf(record.budget, () => runtimes.sharedUsage(project));
      const rest = projectBudgetReached(limits.project, noUsage());
      if (rest) throw new ApiFailure(409, rest.code, sentenceIn(rest));
      try {
        const { signal } = c.req.raw;
        const { text, usage } = await completeCode(
          await models.resolve(id, { project }),
          { path, before, after },
          signal,
        );
        runtime.append({ type: "completion", usage });
        return c.json({ text }, 200);
      } catch (error) {
        if (error instanceof EnhanceError)
          throw new ApiFailure(502, error.failure.code, sentenceIn(error.failure));
        throw error;
      }
    },
  );
}
