import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { accepted, answers, body, ProjectParams, mayFail } from "./describe.ts";
import { attachment } from "./file-types.ts";
import { Publication } from "./publications.ts";
import type { Services } from "./services.ts";

const path = "/api/projects/{id}/publication";

/** Characters of a log that are answered at most at once. */
const LOG_PIECE = 256 * 1024;

/** Operations on the app of a publication while it runs: what it may reach, what it prints, restarting it. */
export function publicationOperationRoutes(
  app: OpenAPIHono,
  { publications }: Pick<Services, "publications">,
): void {
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/reach`,
      summary:
        "The hosts that the published app may reach, beside those that its secrets are for: a list of its own, or `null` for the project's. It holds at once.",
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
    async (c) =>
      c.json(
        await publications.setReach(c.req.valid("param").id, c.req.valid("json").own ?? undefined),
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: `${path}/browser-reports`,
      summary:
        "Whether pages of the published app tell, by a script of ours, what goes wrong in visitors' browsers (default: yes).",
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
      summary:
        "Ends the published app and starts it again; requests wait meanwhile, and none is lost.",
      request: { params: ProjectParams },
      responses: answers(Publication, "The publication."),
    }),
    async (c) => c.json(await publications.restart(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/jobs/{name}/run`,
      summary: "Runs a job of the published app now. What comes of it is in the publication.",
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
      summary:
        "What the published app printed, the newest of it, without the values of its secrets. Who asks again with the `end` that was answered gets what came since.",
      request: {
        params: ProjectParams,
        query: z.object({
          release: z.coerce.number().int().min(1).optional().openapi({
            description: "Absent: the one that is answered with.",
          }),
          from: z.coerce.number().int().min(0).optional().openapi({
            description: "Absent: the newest.",
          }),
        }),
      },
      responses: answers(
        z.object({
          release: z.number(),
          /** Place of the first character of the text. */
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
      // A reader of another server process's output starts again at the beginning.
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
      summary: "All that is kept of what the app of a release printed.",
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
