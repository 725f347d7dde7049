import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { BrowserError } from "@treadle/browser";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { createRoute, ProjectParams, bytes, mayFail } from "../describe.ts";
import type { Services } from "../services.ts";

const Shot = z.object({
  path: z.string().max(2_000).regex(/^\//, "An address in the app begins with a slash."),
  port: z.coerce.number().int().min(1).max(65_535).optional(),
  width: z.coerce.number().int().min(200).max(2_560),
  height: z.coerce.number().int().min(200).max(2_560),
  dark: z.stringbool().optional(),
  scroll: z.coerce.number().int().min(0).max(100_000).optional(),
});

/** Routes for pictures that were sent with messages, and for screenshots of the running app. */
export function pictureRoutes(
  app: OpenAPIHono,
  { store, picturesOf, takePicture }: Services,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/page.png",
      action: "project.view",
      summary: "A screenshot of a page of the running app in a fresh browser.",
      request: { params: ProjectParams, query: Shot },
      responses: {
        200: { content: { "image/png": { schema: bytes } }, description: "A PNG of that size." },
        ...mayFail,
      },
    }),
    async (c) => {
      const record = await store.projects.get(c.req.valid("param").id);
      if (!record) throw notFound("project");
      const picture = await takePicture(record, {
        ...c.req.valid("query"),
        signal: c.req.raw.signal,
      }).catch((error: unknown) => {
        if (error instanceof BrowserError)
          throw new ApiFailure(
            409,
            "no-picture",
            sentence("no-screenshot", { why: error.message }),
          );
        throw error;
      });
      return c.body(new Uint8Array(picture), 200, {
        "content-type": "image/png",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/pictures/{hash}",
      action: "project.view",
      summary: "A picture sent with a message.",
      request: { params: ProjectParams.extend({ hash: z.string() }) },
      responses: {
        200: { content: { "image/*": { schema: bytes } }, description: "Its bytes." },
        ...mayFail,
      },
    }),
    async (c) => {
      const { id, hash } = c.req.valid("param");
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
