import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, accepted, answers, body, ProjectParams, mayFail } from "../describe.ts";
import { attachment } from "../files/file-types.ts";
import { Publication } from "./publications.ts";
import { refuseIfReviewed } from "../reviews.ts";
import type { Services } from "../services.ts";

const path = "/api/projects/{id}/publication";

/** Maximum length of a log in one answer, in characters. */
const LOG_PIECE = 256 * 1024;

/** Routes for a publication's running app: its reachable hosts, its output, restarting it. */
export function publicationOperationRoutes(
  app: OpenAPIHono,
  services: Pick<Services, "publications" | "accounts">,
): void {
  const { publications } = services;
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/reach`,
      action: "project.publish",
      summary:
        "Sets the hosts that the published app may reach besides those of its secrets: its own list, or `null` for the project's. Applies immediately.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            own: z
              .object({
                hosts: z.array(z.string().max(400)).max(200),
                staticHosts: z.boolean().default(true),
              })
              .nullable(),
          }),
        ),
      },
      responses: answers(Publication, "The publication."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { own } = c.req.valid("json");
      const allowed = (await publications.get(id))?.reach.hosts ?? [];
      if (own?.hosts.some((host) => !allowed.includes(host)))
        await refuseIfReviewed(c, services, id, "host");
      return c.json(await publications.setReach(id, own ?? undefined), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/browser-reports`,
      action: "project.publish",
      summary:
        "Sets whether pages of the published app report errors in visitors' browsers with a script of Treadle's (default: yes).",
      request: { params: ProjectParams, body: body(z.object({ on: z.boolean() })) },
      responses: answers(Publication, "The publication."),
    }),
    async (c) =>
      c.json(await publications.setReports(c.req.valid("param").id, c.req.valid("json").on), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/restart`,
      action: "project.publish",
      summary: "Restarts the published app. Requests wait meanwhile, and none is lost.",
      request: { params: ProjectParams },
      responses: answers(Publication, "The publication."),
    }),
    async (c) => c.json(await publications.restart(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/jobs/{name}/run`,
      action: "project.publish",
      summary: "Runs a job of the published app now. Its result is in the publication.",
      request: { params: ProjectParams.extend({ name: z.string().max(60) }) },
      responses: accepted(Publication, "It is run."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      return c.json(await publications.runJob(id, name), 202);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: `${path}/log`,
      action: "project.edit",
      summary:
        "The latest output of the published app, without the values of its secrets. With the `end` of an earlier answer, only the output since.",
      request: {
        params: ProjectParams,
        query: z.object({
          release: z.coerce.number().int().min(1).optional().openapi({
            description: "Absent: the current release.",
          }),
          from: z.coerce.number().int().min(0).optional().openapi({
            description: "Absent: the newest.",
          }),
        }),
      },
      responses: answers(
        z.object({
          release: z.number(),
          /** Position of the first character of the text. */
          begin: z.number(),
          end: z.number(),
          text: z.string(),
        }),
        "A piece of the log, and its places.",
      ),
    }),
    (c) => {
      const { release: asked, from } = c.req.valid("query");
      const { release, text } = publications.log(c.req.valid("param").id, asked);
      // A position beyond the end comes from an earlier process of the server; the newest output is returned then.
      const requested = from === undefined || from > text.end ? text.end - LOG_PIECE : from;
      const begin = Math.max(text.begin, requested);
      const piece = text.slice(begin, LOG_PIECE);
      return c.json({ release, begin, end: begin + piece.length, text: piece }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: `${path}/releases/{release}/log.txt`,
      action: "project.edit",
      summary: "The stored output of a release's app.",
      request: { params: ProjectParams.extend({ release: z.coerce.number().int().min(1) }) },
      responses: {
        200: { content: { "text/plain": { schema: z.string() } }, description: "A download." },
        ...mayFail,
      },
    }),
    (c) => {
      const { id, release } = c.req.valid("param");
      return c.text(publications.log(id, release).text.slice(0), 200, {
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": attachment(`release-${release}.log`),
        "cache-control": "no-store",
      });
    },
  );
}
