import { Readable } from "node:stream";
import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { importArchive } from "../imports/import-archive.ts";
import { NAME_LIMIT, plainName } from "../project-context/project-name.ts";
import { created } from "./describe.ts";
import type { Services } from "./services.ts";

/** Projects that come from elsewhere. */
export function importRoutes(app: OpenAPIHono, { projects, runtimes, folderOf }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/import",
      summary:
        "A new project from a ZIP, without what is installed in it. Links, names that lead out, bombs and encrypted files are refused; nothing is left then.",
      request: {
        query: z.object({ name: z.string().max(1_000).optional() }),
        body: { content: { "application/zip": { schema: z.string() } } },
      },
      responses: created(z.object({ id: z.string(), files: z.number() }), "The project."),
    }),
    async (c) => {
      const name = plainName(c.req.valid("query").name ?? "").slice(0, NAME_LIMIT);
      const imported = await importArchive(
        name || "Imported project",
        c.req.raw.body ?? Readable.from([]),
        {
          create: async (called) => (await projects.create({ name: called })).id,
          remove: (id) => projects.remove(id),
          workspace: async (id) => (await runtimes.of(id)).workspace(),
          folder: folderOf,
        },
      );
      return c.json(imported, 201);
    },
  );
}
