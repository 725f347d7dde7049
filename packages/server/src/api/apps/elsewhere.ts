import { CodedText } from "../schemas.ts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { createRoute, accepted, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

const TargetName = z.enum([
  "netlify",
  "vercel",
  "cloudflare",
  "github-pages",
  "coolify",
  "dokploy",
  "rsync",
  "registry",
]) satisfies z.ZodType<P.TargetId>;
const Field = z.enum([
  "site",
  "project",
  "team",
  "account",
  "script",
  "repository",
  "branch",
  "server",
  "machine",
  "environment",
  "application",
  "key",
  "image",
  "user",
  "folder",
  "address",
]) satisfies z.ZodType<P.PlaceField>;

const Place = z
  .object({
    ...(Object.fromEntries(
      Field.options.map((name) => [name, z.string().max(500).optional()]),
    ) as Record<P.PlaceField, z.ZodOptional<z.ZodString>>),
    local: z.boolean().optional().openapi({
      description: "Allows an address of this machine or its network.",
    }),
  })
  .openapi("Place") satisfies z.ZodType<P.Place>;

const Deployment = z
  .object({
    id: z.string(),
    target: TargetName,
    release: z.number(),
    revision: z.string(),
    at: z.number(),
    state: z.enum(["sending", "ready", "failed", "stopped"]),
    said: z.string().optional(),
    saidCode: CodedText.optional(),
    problem: z.string().optional(),
    address: z.string().optional(),
    ms: z.number().optional(),
  })
  .openapi("Deployment") satisfies z.ZodType<P.Deployment>;

const Elsewhere = z
  .object({
    targets: z.array(
      z.object({
        id: TargetName,
        name: z.string(),
        carries: z.array(z.enum(["site", "app"])),
        fields: z.array(z.object({ name: Field, required: z.boolean() })),
        token: z.enum(["none", "wanted", "kept"]),
        place: Place,
      }),
    ),
    deployments: z.array(Deployment),
  })
  .openapi("Elsewhere") satisfies z.ZodType<P.Elsewhere>;

const path = "/api/projects/{id}/elsewhere";
const TargetParams = ProjectParams.extend({ target: TargetName });

/** Routes for deployments of a project's releases on other hosts. */
export function elsewhereRoutes(
  app: OpenAPIHono,
  { elsewhere }: Pick<Services, "elsewhere">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.view",
      summary: "Lists the hosts for deployments, with their settings and the last result. Tokens are never returned.", // prettier-ignore
      request: { params: ProjectParams },
      responses: answers(Elsewhere, "The targets and the deployments."),
    }),
    async (c) => c.json(await elsewhere.get(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/{target}`,
      action: "project.publish",
      summary: "Sets the project's settings for a target. A token is stored on the server, for all projects, and never given to a sandbox.", // prettier-ignore
      request: {
        params: TargetParams,
        body: body(z.object({ place: Place, token: z.string().trim().min(1).max(4_000).optional() })), // prettier-ignore
      },
      responses: answers(Elsewhere, "The targets and the deployments."),
    }),
    async (c) => {
      const { id, target } = c.req.valid("param");
      return c.json(await elsewhere.configure(id, target, c.req.valid("json")), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{target}`,
      action: "project.publish",
      summary: "Deploys a release that is ready: exactly what was built and checked. 409 `held` where something serious was found in it and nobody decided, `token` where none is kept.", // prettier-ignore
      request: {
        params: TargetParams,
        body: body(
          z.object({
            release: z.number().int().min(1).optional().openapi({
              description: "Absent: the current release.",
            }),
          }),
        ),
      },
      responses: accepted(Elsewhere, "It is on its way; what comes of it is in the deployments."),
    }),
    async (c) => {
      const { id, target } = c.req.valid("param");
      return c.json(await elsewhere.send(id, target, c.req.valid("json").release), 202);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{target}/stop`,
      action: "project.publish",
      summary: "Stops the deployment in progress.",
      request: { params: TargetParams },
      responses: answers(Elsewhere, "The targets and the deployments."),
    }),
    async (c) => {
      const { id, target } = c.req.valid("param");
      return c.json(await elsewhere.stop(id, target), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${path}/{target}/token`,
      action: "project.publish",
      summary: "Deletes the saved token of this target.",
      request: { params: TargetParams },
      responses: answers(Elsewhere, "The targets and the deployments."),
    }),
    async (c) => {
      const { id, target } = c.req.valid("param");
      return c.json(await elsewhere.forgetToken(id, target), 200);
    },
  );
}
