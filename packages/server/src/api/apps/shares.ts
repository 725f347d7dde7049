import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { notFound } from "@treadle/common";
import { forkProject } from "../../projects/fork-project.ts";
import { createRoute, answers, answersOk, body, created, ProjectParams } from "../describe.ts";
import { ForkedProject } from "../schemas.ts";
import type { Services } from "../services.ts";

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
      description: "For a release: its number. Absent: the current one.",
    }),
    days: z.number().positive().max(3650).optional().openapi({
      description: "When the link expires; absent: never.",
    }),
    password: z.string().max(200).optional(),
    costs: z.boolean().optional().openapi({
      description: "For a conversation: whether it shows the cost of turns.",
    }),
    source: z.boolean().optional().openapi({
      description: "For a conversation: whether the source can be downloaded as a ZIP.",
    }),
  })
  .openapi("NewShare") satisfies z.ZodType<P.NewShare>;

const path = "/api/projects/{id}/shares";

/** Routes for links that show a part of a project to people without an account. */
export function shareRoutes(app: OpenAPIHono, services: Services): void {
  const { shares } = services;
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.share",
      summary: "Lists a project's valid links, and the domain that they use.",
      request: { params: ProjectParams },
      responses: answers(Shares, "The newest first."),
    }),
    (c) => c.json(shares.list(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      action: "project.share",
      summary:
        "Creates a link to the running preview, to a release or to the conversation. Its holder needs no account and can reach nothing else.",
      request: { params: ProjectParams, body: body(NewShare) },
      responses: created(Share, "The link."),
    }),
    async (c) => c.json(await shares.make(c.req.valid("param").id, c.req.valid("json")), 201),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${path}/{share}`,
      action: "project.share",
      summary: "Revokes a link, and closes everything opened through it.",
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
      action: "projects.create",
      summary: "Creates a new project as a copy of the one whose conversation a link shows.",
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
