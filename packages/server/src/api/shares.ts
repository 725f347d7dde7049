import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { notFound } from "@treadle/common";
import { forkProject } from "../projects/fork-project.ts";
import { answers, answersOk, body, created, ProjectParams } from "./describe.ts";
import { ForkedProject } from "./schemas.ts";
import type { Services } from "./services.ts";

const Kind = z.enum(["preview", "release", "conversation"]);

const Share = z
  .object({
    id: z.string(),
    kind: Kind,
    release: z.number().optional(),
    link: z.string(),
    at: z.number(),
    until: z.number().optional(),
    usedAt: z.number().optional(),
    uses: z.number(),
    locked: z.boolean(),
    costs: z.boolean().optional(),
    source: z.boolean().optional(),
  })
  .openapi("Share") satisfies z.ZodType<P.Share>;

const Shares = z
  .object({ shares: z.array(Share), domain: z.string().optional() })
  .openapi("Shares") satisfies z.ZodType<P.Shares>;

const NewShare = z
  .object({
    kind: Kind,
    release: z.number().int().min(1).optional().openapi({
      description: "Of a release: its number; absent: whichever is answered with.",
    }),
    days: z.number().positive().max(3650).optional().openapi({
      description: "Until it opens nothing any more; absent: never.",
    }),
    password: z.string().max(200).optional(),
    costs: z.boolean().optional().openapi({
      description: "Of a conversation: whether it tells what the turns cost.",
    }),
    source: z.boolean().optional().openapi({
      description: "Of a conversation: whether the source can be taken along as a ZIP.",
    }),
  })
  .openapi("NewShare") satisfies z.ZodType<P.NewShare>;

const path = "/api/projects/{id}/shares";

/** Links by which somebody without an account sees something of a project. */
export function shareRoutes(app: OpenAPIHono, services: Services): void {
  const { shares } = services;
  app.openapi(
    createRoute({
      method: "get",
      path,
      summary: "The links of a project that open something, and the domain that they lead through.",
      request: { params: ProjectParams },
      responses: answers(Shares, "The newest first."),
    }),
    (c) => c.json(shares.list(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      summary:
        "Makes a link to the running preview, to a release, or to the conversation. Whoever has it needs no account, and reaches nothing else.",
      request: { params: ProjectParams, body: body(NewShare) },
      responses: created(Share, "The link."),
    }),
    async (c) => c.json(await shares.make(c.req.valid("param").id, c.req.valid("json")), 201),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${path}/{share}`,
      summary: "Takes a link back: it opens nothing any more, and what it has opened is closed.",
      request: { params: ProjectParams.extend({ share: z.string() }) },
      responses: answersOk,
    }),
    async (c) => {
      const { id, share } = c.req.valid("param");
      await shares.remove(id, share);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/shares/{share}/fork",
      summary: "A copy of the project whose conversation a link shows, as a project of its own.",
      request: { params: z.object({ share: z.string() }) },
      responses: created(ForkedProject, "The copy."),
    }),
    async (c) => {
      const share = shares.find(c.req.valid("param").share);
      if (share?.kind !== "conversation") throw notFound("link");
      return c.json(await forkProject(services, share.project, {}), 201);
    },
  );
}
