import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type {
  ProjectDetail as Detail,
  ProjectSummary as Summary,
  Verdict,
} from "@treadle/protocol";
import type { ProjectRecord } from "@treadle/store";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { isWorking, verdictOf } from "@treadle/protocol/fold";
import { visibleProjects } from "../access/requires.ts";
import { NAME_LIMIT, plainName } from "../project-context/project-name.ts";
import { createRoute, answers, answersOk, body, created, ProjectParams } from "./describe.ts";
import { UNDO_MS } from "../runtime/runtimes.ts";
import { forkProject } from "../projects/fork-project.ts";
import {
  CreateProject,
  DeletedProject,
  ForkedProject,
  ProjectDetail,
  ProjectSummary,
} from "./schemas.ts";
import type { Services } from "./services.ts";

export function projectRoutes(app: OpenAPIHono, services: Services): void {
  const { store, projects, runtimes, models } = services;

  const summary = (record: ProjectRecord): Summary => ({
    id: record.id,
    name: record.name,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    ...standsAs(record),
    working: isAtWork(record),
    picture: record.picture,
    archived: record.archived,
    comparison: record.comparison,
    parallelOf: record.parallelOf,
    turns: record.turns,
    costUsd: record.costUsd,
    live: services.publications.liveAt(record.id),
    waits: waitsForPerson(record) || undefined,
  });

  // Listing opens no project; the record has the last state of closed ones.
  function standsAs(record: ProjectRecord): { verdict?: Verdict } {
    const known = runtimes.known(record.id);
    const verdict = known ? verdictOf(known.view)?.verdict : (record.standing ?? record.verdict);
    return verdict ? { verdict } : {};
  }

  /** Whether a project is working; a closed one is not. */
  function isAtWork({ id }: ProjectRecord): boolean {
    const known = runtimes.known(id);
    return known ? isWorking(known.view) : false;
  }

  function waitsForPerson({ id, queue }: ProjectRecord): boolean {
    const known = runtimes.known(id);
    return known ? known.view.question !== undefined : (queue?.[0]?.waits ?? false);
  }

  async function detail(id: string): Promise<Detail> {
    const record = await store.projects.get(id);
    if (!record) throw notFound("project");
    const { view } = await runtimes.get(id);
    return {
      ...summary(record),
      model: record.model,
      planModel: record.planModel,
      dialect: record.dialect,
      demo: record.demo,
      origin: record.origin,
      previewOrigin: services.previewOrigin(record.capability),
      server: view.server,
      revision: view.revision,
      evidence: view.evidence,
      usage: view.usage,
      head: await store.log.head(id),
      waiting: view.question,
    };
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects",
      action: "projects.list",
      summary: "Lists all projects, most recently changed first.",
      responses: answers(
        z.object({
          projects: z.array(ProjectSummary),
          deleted: z
            .array(DeletedProject)
            .openapi({ description: "Deleted projects that can still be restored." }),
        }),
        "The projects.",
      ),
    }),
    async (c) => {
      await services.folders.take();
      const isVisible = await visibleProjects(c);
      const seen = (records: ProjectRecord[]) => records.filter(({ id }) => isVisible(id));
      return c.json(
        {
          projects: seen(await store.projects.list()).map(summary),
          deleted: seen(await store.projects.deleted()).map(({ id, name, deletedAt = 0 }) => ({
            id,
            name,
            until: deletedAt + UNDO_MS,
          })),
        },
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects",
      action: "projects.create",
      summary:
        "Creates a project. With a prompt or a recorded build, its first run starts immediately.",
      request: { body: body(CreateProject) },
      responses: created(z.object({ id: z.string() }), "The project."),
    }),
    async (c) => c.json(await projects.begin(c.req.valid("json")), 201),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}",
      action: "project.view",
      summary: "One project in its current state.",
      request: { params: ProjectParams },
      responses: answers(ProjectDetail, "The project."),
    }),
    async (c) => c.json(await detail(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/projects/{id}",
      action: "project.edit",
      summary:
        "Renames or archives a project, or selects its model, or the one for planning turns (null: the same).",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            name: z.string().optional(),
            model: z.string().max(200).optional(),
            planModel: z.string().max(200).nullable().optional(),
            archived: z.boolean().optional(),
          }),
        ),
      },
      responses: answers(ProjectDetail, "The project."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { model, planModel, archived, ...rest } = c.req.valid("json");
      const name = rest.name === undefined ? undefined : plainName(rest.name);
      if (name === "") throw new ApiFailure(400, "empty-name", sentence("name-empty"));
      if (name !== undefined && name.length > NAME_LIMIT)
        throw new ApiFailure(
          400,
          "name-too-long",
          sentence("name-too-long", { limit: NAME_LIMIT }),
        );
      const runtime = await runtimes.get(id);
      if (model !== undefined) await models.resolve(model);
      if (typeof planModel === "string") await models.resolve(planModel);
      await store.projects.update(id, {
        ...(name === undefined ? {} : { name }),
        ...(model === undefined ? {} : { model }),
        ...(planModel === undefined ? {} : { planModel: planModel ?? undefined }),
        ...(archived === undefined ? {} : { archived: archived ? (true as const) : undefined }),
      });
      if (name !== undefined) runtime.append({ type: "project-renamed", name });
      if (model !== undefined) runtime.append({ type: "model-chosen", model });
      if (planModel !== undefined)
        runtime.append({ type: "model-chosen", model: planModel ?? "", mode: "plan" });
      await store.log.settled();
      return c.json(await detail(id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/fork",
      action: ["project.view", "projects.create"],
      summary:
        "Creates a project from this one at a checkpoint, or from its current state: files, checkpoints and conversation up to there. Hosts, secrets, approvals and .env files are not copied.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            checkpoint: z.string().max(80).optional(),
            name: z.string().max(1000).optional(),
          }),
        ),
      },
      responses: created(ForkedProject, "The new project, and what did not come along."),
    }),
    async (c) =>
      c.json(await forkProject(services, c.req.valid("param").id, c.req.valid("json")), 201),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}",
      action: "project.delete",
      summary:
        "Deletes a project with its files and its conversation; with `undo=true` after ten minutes, in which it can be restored.",
      request: {
        params: ProjectParams,
        query: z.object({ undo: z.enum(["true", "false"]).optional() }),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      if (c.req.valid("query").undo === "true") await runtimes.delete(id);
      else await projects.remove(id);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/put-back",
      action: "project.delete",
      summary: "Puts a project back that was deleted with `undo=true`.",
      request: { params: ProjectParams },
      responses: answersOk,
    }),
    async (c) => {
      await runtimes.putBack(c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    },
  );
}
