import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Action } from "@treadle/accounts";
import type { McpScope } from "@treadle/tool-servers";
import { createRoute, answers, answersOk, body } from "../describe.ts";
import type { Context } from "hono";
import { permit } from "../../access/requires.ts";
import { McpName, McpOverviewBody, McpShort, McpText } from "./mcp-schemas.ts";
import { refuseIfReviewed } from "../reviews.ts";
import { projectMcpRoutes } from "./project-mcp.ts";
import type { Services } from "../services.ts";

/** Routes for tool servers (MCP): configuration, start, approval and sign-in. */
export function mcpRoutes(app: OpenAPIHono, services: Services): void {
  placeRoutes(
    app,
    services,
    "/api/mcp",
    { view: "server.inspect", change: "server.configure" },
    () => ({ place: "global" }),
  );
  placeRoutes(
    app,
    services,
    "/api/projects/{id}/mcp",
    { view: "project.view", change: "project.configure" },
    (id) => ({ place: { project: id }, project: id }),
  );
  projectMcpRoutes(app, services);
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/mcp-sign-in",
      action: "server.configure",
      summary: "Completes the sign-in at a tool server, with the answer of its page.",
      request: {
        body: body(z.object({ code: McpShort, state: McpShort, issuer: McpShort.optional() })),
      },
      responses: answersOk,
    }),
    async (c) => {
      await services.mcp.endSignIn(c.req.valid("json"));
      return c.json({ ok: true as const }, 200);
    },
  );
}

/**
 * Routes for the tool servers of one place: those shared by all projects, or those of one project, which can also
 * choose which of the shared ones it allows.
 */
function placeRoutes(
  app: OpenAPIHono,
  services: Services,
  prefix: string,
  actions: Record<"view" | "change", Action>,
  where: (id: string) => { place: McpScope; project?: string },
): void {
  const { mcp, runtimes, accounts } = services;
  const MaybeId = z.object({ id: z.string().optional() });
  // Only a project's addresses have an id.
  const Params = prefix.includes("{id}") ? MaybeId : (z.object({}) as unknown as typeof MaybeId);
  const One = Params.extend({ name: McpName });
  const overview = answers(McpOverviewBody, "All of them as they are now. No key is in it.");
  const at = async (id: string | undefined) => {
    const found = where(id ?? "");
    if (found.project !== undefined) await runtimes.get(found.project);
    return found;
  };
  app.openapi(
    createRoute({
      method: "get",
      path: prefix,
      action: actions.view,
      summary: "Lists tool servers with their state, tools, resources and prompts.",
      request: { params: Params },
      responses: overview,
    }),
    async (c) => c.json(await mcp.overview((await at(c.req.valid("param").id)).project), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: prefix,
      action: actions.change,
      summary: "Adds servers, replacing those of the same names.",
      request: { params: Params, body: body(z.object({ text: McpText })) },
      responses: overview,
    }),
    async (c) => {
      const { place, project } = await at(c.req.valid("param").id);
      const { person } = c.get("principal")!;
      const needsReview =
        project !== undefined && (await accounts?.reviews.isNeeded(project, "tool-server", person));
      // If a second person is needed, new servers stay off until one approves that they are switched on.
      await mcp.save(place, c.req.valid("json").text, needsReview !== true);
      return c.json(await mcp.overview(project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: `${prefix}/{name}`,
      action: actions.change,
      summary: "Switches a server on or off, or sets whether it may run outside a sandbox.",
      request: {
        params: One,
        body: body(z.object({ enabled: z.boolean().optional(), trusted: z.boolean().optional() })),
      },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const { place, project } = await at(id);
      const { enabled, trusted } = c.req.valid("json");
      if (enabled === true && project !== undefined)
        await refuseIfReviewed(c, services, project, "tool-server");
      // Outside of the sandbox, a tool server runs with the rights of Treadle's own process.
      if (trusted === true) await permit(c, "server.configure");
      await mcp.update(place, name, {
        enabled,
        trusted,
      });
      return c.json(await mcp.overview(project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${prefix}/{name}`,
      action: actions.change,
      summary: "Removes a server.",
      request: { params: One },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const { place, project } = await at(id);
      await mcp.remove(place, name);
      return c.json(await mcp.overview(project), 200);
    },
  );
  const Scope = z.object({ scope: z.enum(["global", "project"]).optional() });
  /**
   * Which servers a request is about: the shared ones with `global`, otherwise those of its address.
   * @throws ApiFailure 403 for shared ones, which a project's owner may not change
   */
  async function scopeOf(
    c: Context,
    scope: "global" | "project" | undefined,
    found: { place: McpScope },
  ): Promise<McpScope> {
    if (scope === "global") await permit(c, "server.configure");
    return scope === "global" ? "global" : found.place;
  }
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/restart`,
      action: actions.change,
      summary: "Restarts a server and lists what it offers.",
      request: { params: One, body: body(Scope) },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      await mcp.restart(await scopeOf(c, c.req.valid("json").scope, found), name, found.project);
      return c.json(await mcp.overview(found.project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/allow`,
      action: actions.change,
      summary:
        "Sets whether its tools, with their current descriptions, are called without asking.",
      request: {
        params: One,
        body: body(Scope.extend({ tool: McpShort.optional(), allowed: z.boolean() })),
      },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      const { scope, tool, allowed } = c.req.valid("json");
      if (allowed && found.project !== undefined)
        await refuseIfReviewed(c, services, found.project, "tool-server");
      await mcp.allow({
        place: await scopeOf(c, scope, found),
        name,
        tool,
        allowed,
        project: found.project,
      });
      return c.json(await mcp.overview(found.project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/sign-in`,
      action: actions.change,
      summary: "Starts the sign-in at a server.",
      request: { params: One, body: body(Scope) },
      responses: answers(z.object({ address: z.string().optional() }), "Where to sign in."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      const address = await mcp.beginSignIn(
        await scopeOf(c, c.req.valid("json").scope, found),
        name,
      );
      return c.json(address === undefined ? {} : { address }, 200);
    },
  );
}
