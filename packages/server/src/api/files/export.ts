import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { checkPath } from "@treadle/workspace";
import { notFound } from "@treadle/common";
import { containerOf, zipProject } from "@treadle/publish";
import { attachment } from "./file-types.ts";
import { createRoute, ProjectParams, mayFail } from "../describe.ts";
import type { Services } from "../services.ts";

export function exportRoutes(app: OpenAPIHono, { store, runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/export.zip",
      action: "project.export",
      summary:
        "Downloads the project, or one folder of it, as a ZIP without dependencies, and without .env files unless `secrets` is set.",
      request: {
        params: ProjectParams,
        query: z.object({
          under: z.string().optional(),
          secrets: z.enum(["true", "false"]).optional().openapi({
            description: "With `true` the .env files go along.",
          }),
          container: z.enum(["true", "false"]).optional().openapi({
            description:
              "With `true` a Dockerfile and a compose file go along, which run it without Treadle, where it has none. 422 `no-container` where nothing could be run.",
          }),
        }),
      },
      responses: {
        200: {
          description: "The archive.",
          content: { "application/zip": { schema: z.string() } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const record = await store.projects.get(id);
      if (!record) throw notFound("project");
      const workspace = await (await runtimes.get(id)).workspace();
      const { under: folder = "", secrets, container } = c.req.valid("query");
      const under = checkPath(folder);
      const named =
        under === PROJECT_FOLDER ? record.name : under.slice(under.lastIndexOf("/") + 1);
      const name = named.replace(/[/\\:*?"<>|]+/g, "-").trim() || "project";
      const added = container === "true" ? await containerOf(workspace) : {};
      const parts = { withSecrets: secrets === "true", added };
      return c.body(zipProject(workspace, under, parts), 200, {
        "content-type": "application/zip",
        "content-disposition": attachment(`${name}.zip`),
        "cache-control": "no-store",
      });
    },
  );
}
