import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound, readPreviewHost } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { ownPath } from "../access/own-path.ts";
import { enterAddress, PASS_PATH } from "../access/preview-door.ts";
import { permit, requires } from "../access/requires.ts";
import { answers, body, createRoute, ProjectParams } from "./describe.ts";
import type { Services } from "./services.ts";

/** Maximum length of a path in a preview, in characters. */
const PATH_CHARS = 4_096;

/** Routes by which browsers on other machines enter previews. */
export function previewPassRoutes(app: OpenAPIHono, services: Services): void {
  const { previewPasses, ownHosts, runtimes, store } = services;
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/preview-pass",
      action: "project.view",
      summary:
        "Gives the address at which this browser enters the project's preview, once, within a minute. From then on the preview's own addresses are open to it.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            port: z.number().int().min(1).max(65_535).optional(),
            path: z.string().max(PATH_CHARS).optional(),
          }),
        ),
      },
      responses: answers(z.object({ address: z.string() }), "Leads on to `path`."),
    }),
    async (c) => {
      const { port, path } = c.req.valid("json");
      const record = await store.projects.get(c.req.valid("param").id);
      if (!record) throw notFound("project");
      const origin = services.previewOrigin(record.capability, port);
      const to = ownPath(path);
      if (!previewPasses) return c.json({ address: origin + to }, 200);
      const ticket = previewPasses.giveTicket(new URL(origin).host, sessionOf(c));
      return c.json({ address: enterAddress(origin, ticket, to) }, 200);
    },
  );
  if (!previewPasses) return;
  // Previews lead here if somebody opens one in a tab of its own, without a pass.
  app.get(PASS_PATH, requires("server.view"), async (c) => {
    const { previewDomain = "" } = ownHosts().people ?? {};
    const host = c.req.query("host")?.toLowerCase();
    const named = readPreviewHost(host, previewDomain);
    const project = named && runtimes.projectOf(named.capability);
    if (!named || project === undefined) throw notFound("project");
    await permit(c, "project.view", { project });
    const origin = services.previewOrigin(named.capability, named.port);
    const ticket = previewPasses.giveTicket(new URL(origin).host, sessionOf(c));
    c.header("cache-control", "no-store");
    return c.redirect(enterAddress(origin, ticket, ownPath(c.req.query("to"))), 303);
  });
}

/**
 * The id of the browser's session; the browser's passes end with it.
 * @throws ApiFailure 403 for programs
 */
export function sessionOf(c: Context): string {
  const { via, credential } = c.get("principal")!;
  if (via === "session" && credential !== undefined) return credential;
  throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
}
