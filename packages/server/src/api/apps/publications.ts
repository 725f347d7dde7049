import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { notFound } from "@treadle/common";
import {
  createRoute,
  accepted,
  answers,
  answersOk,
  body,
  ProjectParams,
  mayFail,
} from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import { CodedText } from "../schemas.ts";
import { refuseIfReviewed } from "../reviews.ts";
import type { Services } from "../services.ts";

const Gate = z
  .object({
    findings: z.array(
      z.object({
        id: z.string(),
        check: z.enum([
          "secrets",
          "packages",
          "licences",
          "advisories",
          "access",
          "headers",
          "page",
          "accessibility",
        ]),
        severity: z.enum(["serious", "minor"]),
        title: z.string(),
        titleCode: CodedText.optional(),
        where: z.string(),
        todo: z.string(),
        todoCode: CodedText.optional(),
      }),
    ),
    unchecked: z.array(z.string()),
    looking: z.boolean().optional(),
    decided: z.object({ at: z.number(), by: z.string() }).optional(),
  })
  .openapi("Gate") satisfies z.ZodType<P.Gate>;

const Release = z
  .object({
    number: z.number(),
    revision: z.string(),
    checkpoint: z.string(),
    label: z.string(),
    at: z.number(),
    state: z.enum(["building", "ready", "held", "failed"]),
    kind: z.enum(["site", "app"]).optional(),
    said: z.string().optional(),
    saidCode: CodedText.optional(),
    output: z.string().optional(),
    ms: z.number().optional(),
    gate: Gate.optional(),
    review: z.string().optional(),
  })
  .openapi("Release") satisfies z.ZodType<P.Release>;

export const Publication = z
  .object({
    name: z.string(),
    address: z.string(),
    domains: z.array(z.string()),
    publicAddresses: z.array(z.string()),
    port: z
      .object({
        number: z.number(),
        addresses: z.array(z.string()),
        problem: z.string().optional(),
        problemCode: CodedText.optional(),
      })
      .optional(),
    current: z.number().optional(),
    releases: z.array(Release),
    app: z.enum(["asleep", "starting", "up", "failed"]).optional(),
    requests: z.number(),
    seen: z.object({
      since: z.number(),
      requests: z.number(),
      restarts: z.number(),
      errors: z.number(),
    }),
    upSince: z.number().optional(),
    usage: z
      .object({
        memory: z.number().optional(),
        processes: z.number().optional(),
        disk: z.number().optional(),
        limits: z.object({
          memory: z.number(),
          processes: z.number(),
          cpus: z.number(),
          disk: z.number(),
        }),
      })
      .optional(),
    errors: z.array(
      z.object({
        at: z.number(),
        release: z.number(),
        kind: z.enum(["crash", "answer", "browser", "job", "limit"]),
        text: z.string(),
        count: z.number(),
        page: z.string().optional(),
        stack: z.string().optional(),
      }),
    ),
    reach: z.object({
      of: z.enum(["project", "own"]),
      hosts: z.array(z.string()),
      staticHosts: z.boolean(),
    }),
    jobs: z.array(
      z.object({
        name: z.string(),
        schedule: z.string(),
        timeZone: z.string(),
        command: z.string(),
        next: z.number().optional(),
        running: z.boolean(),
        last: z
          .object({
            at: z.number(),
            ms: z.number(),
            state: z.enum(["done", "failed", "timeout", "stopped"]),
            output: z.string(),
          })
          .optional(),
      }),
    ),
    browserReports: z.enum(["on", "off", "refused"]),
  })
  .openapi("Publication") satisfies z.ZodType<P.Publication>;

const MissingVariables = z
  .object({
    findings: z.array(
      z.object({
        code: z.enum(["env-not-published", "env-not-built"]),
        path: z.string(),
        names: z.array(z.string()),
      }),
    ),
  })
  .openapi("MissingVariables") satisfies z.ZodType<P.MissingVariables>;

const path = "/api/projects/{id}/publication";

const By = z.string().trim().min(1).max(100);
const ReleaseParams = ProjectParams.extend({ release: z.coerce.number().int().min(1) });

/** Routes for a project's publication. */
export function publicationRoutes(
  app: OpenAPIHono,
  services: Pick<Services, "publications" | "certificates" | "settings" | "accounts">,
): void {
  const { publications, certificates, settings, accounts } = services;
  /** The missing variables without their values, which stay on the server. */
  async function missingVariables(id: string): Promise<P.MissingVariables> {
    const found = await publications.missingVariables(id);
    return {
      findings: found.map(({ variables, ...finding }) => ({
        ...finding,
        names: variables.map(({ name }) => name),
      })),
    };
  }
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.view",
      summary:
        "Describes how the project is published: its address, its releases and current work. 404 if it is not published.",
      request: { params: ProjectParams },
      responses: answers(Publication, "The publication."),
    }),
    async (c) => {
      const found = await publications.get(c.req.valid("param").id);
      if (!found) throw notFound("publication");
      return c.json(found, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      action: "project.publish",
      summary:
        "Makes a release of the current files in its own sandbox, and answers once it is ready. 409 `not-verified` unless they are verified. A release with serious findings is `held`.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            name: z.string().max(100).optional().openapi({
              description:
                "First label of its host; absent: as before, or made of the project's name.",
            }),
            anyway: By.optional().openapi({
              description:
                "The person who publishes it despite any findings; saved with the release.",
            }),
          }),
        ),
      },
      responses: accepted(Publication, "It is being made; what comes of it is in the publication."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseIfReviewed(c, services, id, "publish");
      const isPublished = (project: string) => publications.liveAt(project) !== undefined;
      await accounts?.quotas.checkPublished(id, isPublished);
      return c.json(await publications.publish(id, c.req.valid("json")), 202);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: `${path}/missing-variables`,
      action: "project.view",
      summary:
        "Lists variables in the project's `.env` files that the published app lacks or would lack, because releases have no such files. Names only. `env-not-published`: secrets of the published app would supply them. `env-not-built`: it is a site, and builds get no secrets.",
      request: { params: ProjectParams },
      responses: answers(MissingVariables, "A finding for each file."),
    }),
    async (c) => c.json(await missingVariables(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/missing-variables`,
      action: "project.publish",
      summary:
        "Saves the missing variables, with their values from the `.env` files, as secrets of the published app, which is restarted if it runs.",
      request: { params: ProjectParams },
      responses: answers(MissingVariables, "What is still missing."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const found = await publications.missingVariables(id);
      const values = new Map(
        found
          .filter(({ code }) => code === "env-not-published")
          .flatMap(({ variables }) => variables.map(({ name, value }) => [name, value])),
      );
      if (values.size > 0)
        await settings.putSecrets(
          id,
          [...values].map(([name, value]) => ({ name, value, environment: "published" })),
        );
      return c.json(await missingVariables(id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/current`,
      action: "project.publish",
      summary:
        "Makes an earlier release current again, with the data that it had. If it does not start, the current release stays.",
      request: {
        params: ProjectParams,
        body: body(z.object({ release: z.number().int().min(1) })),
      },
      responses: answers(Publication, "The publication."),
    }),
    async (c) =>
      c.json(
        await publications.rollBack(c.req.valid("param").id, c.req.valid("json").release),
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/releases/{release}/anyway`,
      action: "project.publish",
      summary: "Publishes a release that is held because of its findings.",
      request: {
        params: ReleaseParams,
        body: body(
          z.object({
            by: By.openapi({ description: "The person who decided it; saved with the release." }),
          }),
        ),
      },
      responses: accepted(Publication, "It is started; what comes of it is in the publication."),
    }),
    async (c) => {
      const { id, release } = c.req.valid("param");
      await refuseIfReviewed(c, services, id, "publish");
      return c.json(await publications.publishHeld(id, release, c.req.valid("json").by), 202);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: `${path}/releases/{release}/report.md`,
      action: "project.view",
      summary: "The findings of a release as a Markdown document.",
      request: { params: ReleaseParams },
      responses: {
        200: { content: { "text/markdown": { schema: z.string() } }, description: "A download." },
        ...mayFail,
      },
    }),
    (c) => {
      const { id, release } = c.req.valid("param");
      return c.body(publications.report(id, release), 200, {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": attachment(`release-${release}.md`),
        "cache-control": "no-store",
      });
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/domains`,
      action: "project.publish",
      summary:
        "Domains at which the publication is served besides its name. A web server in front of Treadle forwards them (`GET /api/caddyfile`).",
      request: {
        params: ProjectParams,
        body: body(z.object({ domains: z.array(z.string().max(300)).max(20) })),
      },
      responses: answers(Publication, "The publication."),
    }),
    async (c) =>
      c.json(
        await publications.setDomains(c.req.valid("param").id, c.req.valid("json").domains),
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/port`,
      action: "project.publish",
      summary:
        "A port of its own, beside its name: for browsers that know no `*.localhost`, and with `TREADLE_APPS_HOST` for phones in the same network.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            port: z.union([z.number().int(), z.enum(["free", "none"])]).openapi({
              description: "One within `TREADLE_APPS_PORTS`, whichever of them is free, or none.",
            }),
          }),
        ),
      },
      responses: answers(Publication, "The publication."),
    }),
    async (c) =>
      c.json(await publications.setPort(c.req.valid("param").id, c.req.valid("json").port), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/caddyfile",
      action: "server.inspect",
      summary:
        "A Caddyfile that leads every published domain to this server, with certificates that are fetched when somebody first asks.",
      responses: answers(z.object({ caddyfile: z.string() }), "The text of the file."),
    }),
    (c) => c.json({ caddyfile: certificates.caddyfile() }, 200),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path,
      action: "project.publish",
      summary: "Stops publishing, and removes all releases with their data.",
      request: { params: ProjectParams },
      responses: answersOk,
    }),
    async (c) => {
      await publications.remove(c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    },
  );
}
