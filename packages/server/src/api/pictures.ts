import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "../common/api-failure.ts";
import { ProjectParams } from "./describe.ts";
import type { Services } from "./services.ts";

/** Pictures that were sent with messages. */
export function pictureRoutes(app: OpenAPIHono, { store, picturesOf }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/pictures/{hash}",
      summary: "A picture that was sent with a message.",
      request: { params: ProjectParams.extend({ hash: z.string() }) },
      responses: { 200: { description: "Its bytes." }, "4XX": { description: "There is none." } },
    }),
    async (c) => {
      const { id, hash } = c.req.valid("param");
      if (!(await store.projects.get(id))) throw notFound("project");
      const picture = await picturesOf(id).read(hash);
      if (!picture) throw notFound("picture");
      return c.body(new Uint8Array(picture.bytes), 200, {
        "content-type": picture.type,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "private, max-age=31536000, immutable",
      });
    },
  );
}
