import type { ProjectRuntime } from "../../runtime/types.ts";
import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { findRules } from "@treadle/agent";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import { OwnRules, ProjectRules } from "../schemas.ts";
import type { Services } from "../services.ts";

/** Maximum number of files against which file patterns of rules are matched. */
const LISTED = 2_000;
/** Maximum number of files that may be switched off. */
const OFF = 200;

/** Routes for the rules of a project, and for the person's own rules. */
export function ruleRoutes(app: OpenAPIHono, services: Services): void {
  const { store, runtimes, personal } = services;

  async function rulesOf(id: string) {
    const record = await store.projects.get(id);
    if (!record) throw notFound("project");
    const runtime = await runtimes.get(id);
    const workspace = await runtime.workspace();
    const { files } = await workspace.files.list({ limit: LISTED });
    const paths = files.filter(({ kind }) => kind === "file").map(({ path }) => path);
    const found = await findRules(workspace, paths, record.rulesOff, runtime.isAccepted);
    return {
      rules: found.map(({ path, size, state }) => ({ path, size, state })),
      changed: await runtime.changedUnasked(),
    };
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/rules",
      action: "project.view",
      summary: "Lists the project's rule files, and what the model receives of each.",
      request: { params: ProjectParams },
      responses: answers(ProjectRules, "The files, in the order in which they are told."),
    }),
    async (c) => c.json(await rulesOf(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/rules",
      action: "project.edit",
      summary: "Switches a rule file on or off, from the next turn on.",
      request: {
        params: ProjectParams,
        body: body(z.object({ path: z.string().min(1).max(1_000), on: z.boolean() })),
      },
      responses: answers(ProjectRules, "The files as they are now."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { path, on } = c.req.valid("json");
      const record = await store.projects.get(id);
      if (!record) throw notFound("project");
      const others = (record.rulesOff ?? []).filter((one) => one !== path);
      if (!on && others.length >= OFF)
        throw new ApiFailure(
          409,
          "too-many",
          sentence("limit-reached", { what: "rules", limit: OFF }),
        );
      await store.projects.update(id, { rulesOff: on ? others : [...others, path] });
      return c.json(await rulesOf(id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/rules/accept",
      action: "project.configure",
      summary:
        "Accepts the change of a file that is obeyed outside the sandbox, such as a rule file or a skill: exactly that version, as it is now or, with `left`, as it was before it was reverted. 409 if the file has another version by now.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            path: z.string().min(1).max(1_000),
            version: z.string().max(100),
            left: z.string().min(1).max(100).optional(),
          }),
        ),
      },
      responses: answers(ProjectRules, "The files as they are now."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { path, version, left } = c.req.valid("json");
      const runtime = await runtimes.get(id);
      await runtime.useVersion(await toldPath(runtime, path), version, left);
      return c.json(await rulesOf(id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/rules",
      action: "server.view",
      summary: "The person's own rules, which apply in all of their projects.",
      responses: answers(OwnRules, "The text of rules.md, and the names of further files."),
    }),
    async (c) => c.json(await personal.read(), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/rules",
      action: "server.configure",
      summary: "Saves the person's own rules, which apply from the next turn on.",
      request: { body: body(z.object({ text: z.string() })) },
      responses: answers(OwnRules, "What is kept now."),
    }),
    async (c) => {
      await personal.write(c.req.valid("json").text);
      return c.json(await personal.read(), 200);
    },
  );
}

/**
 * The path that a request names. One that cannot be written in a project, such as a name with a backslash, is
 * accepted if a changed file on the disk has it.
 * @throws WorkspaceError `path` for any other invalid path
 */
async function toldPath(runtime: ProjectRuntime, written: string): Promise<ProjectPath> {
  const read = readProjectPath(written);
  if (read.ok) return read.path;
  const change = (await runtime.changedUnasked()).find(({ path }) => path === written);
  return change?.path ?? checkPath(written);
}
