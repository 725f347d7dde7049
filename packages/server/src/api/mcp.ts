import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import type { Place } from "../mcp/mcp-store.ts";
import { answers, answersOk, body } from "./describe.ts";
import type { Services } from "./services.ts";

const Argument = z.object({
  name: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
});

const Server = z
  .object({
    name: z.string(),
    scope: z.enum(["global", "project"]),
    config: z.string(),
    where: z.string(),
    enabled: z.boolean(),
    trusted: z.boolean(),
    program: z.boolean(),
    state: z.enum(["off", "idle", "connecting", "connected", "failed", "sign-in"]),
    message: z.string().optional(),
    title: z.string().optional(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        allowed: z.boolean(),
        changed: z.string().optional(),
        tokens: z.number(),
      }),
    ),
    resources: z.array(
      z.object({
        uri: z.string(),
        name: z.string(),
        description: z.string().optional(),
        mimeType: z.string().optional(),
      }),
    ),
    prompts: z.array(
      z.object({
        name: z.string(),
        description: z.string().optional(),
        arguments: z.array(Argument),
      }),
    ),
    log: z.string(),
  })
  .openapi("McpServer") satisfies z.ZodType<P.McpServerInfo>;

const Overview = z
  .object({
    servers: z.array(Server),
    proposals: z.array(
      z.object({
        path: z.string(),
        name: z.string(),
        where: z.string(),
        config: z.string(),
        digest: z.string(),
      }),
    ),
  })
  .openapi("McpOverview") satisfies z.ZodType<P.McpOverview>;

const Answer = z.object({ ok: z.boolean(), text: z.string() });
/** Longer than any list of servers. */
const Text = z.string().min(1).max(200_000);
const Name = z.string().min(1).max(100);
const Short = z.string().min(1).max(4_000);

/** Tool servers (MCP): set up, started, allowed and signed in to. */
export function mcpRoutes(app: OpenAPIHono, services: Services): void {
  placeRoutes(app, services, "/api/mcp", () => ({ place: "global" }));
  placeRoutes(app, services, "/api/projects/{id}/mcp", (id) => ({
    place: { project: id },
    project: id,
  }));
  projectRoutes(app, services);
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/mcp-sign-in",
      summary: "Ends signing in at a tool server, with what its page gave back.",
      request: {
        body: body(z.object({ code: Short, state: Short, issuer: Short.optional() })),
      },
      responses: answersOk,
    }),
    async (c) => {
      await services.mcp.endSignIn(c.req.valid("json"));
      return c.json({ ok: true as const }, 200);
    },
  );
}

/** The same for all projects and for one; a project can also say what of all projects' servers it allows. */
function placeRoutes(
  app: OpenAPIHono,
  { mcp, runtimes }: Services,
  prefix: string,
  where: (id: string) => { place: Place; project?: string },
): void {
  const MaybeId = z.object({ id: z.string().optional() });
  // Only the addresses of a project have one.
  const Params = prefix.includes("{id}") ? MaybeId : (z.object({}) as unknown as typeof MaybeId);
  const One = Params.extend({ name: Name });
  const overview = answers(Overview, "All of them as they are now. No key is in it.");
  const at = async (id: string | undefined) => {
    const found = where(id ?? "");
    if (found.project !== undefined) await runtimes.of(found.project);
    return found;
  };
  app.openapi(
    createRoute({
      method: "get",
      path: prefix,
      summary: "Tool servers, their state, tools, resources and prompts.",
      request: { params: Params },
      responses: overview,
    }),
    async (c) => c.json(await mcp.overview((await at(c.req.valid("param").id)).project), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: prefix,
      summary: "Adds servers, or puts them in place of those of that name.",
      request: { params: Params, body: body(z.object({ text: Text })) },
      responses: overview,
    }),
    async (c) => {
      const { place, project } = await at(c.req.valid("param").id);
      await mcp.save(place, c.req.valid("json").text);
      return c.json(await mcp.overview(project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: `${prefix}/{name}`,
      summary: "Switches a server on or off, or says whether it may run outside of any sandbox.",
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
      await mcp.update(place, name, {
        ...(enabled === undefined ? {} : { enabled }),
        ...(trusted === undefined ? {} : { trusted }),
      });
      return c.json(await mcp.overview(project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${prefix}/{name}`,
      summary: "Forgets a server.",
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
  const placeOf = (scope: "global" | "project" | undefined, found: { place: Place }): Place =>
    scope === "global" ? "global" : found.place;
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/restart`,
      summary: "Starts a server anew and lists what it offers.",
      request: { params: One, body: body(Scope) },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      await mcp.restart(placeOf(c.req.valid("json").scope, found), name, found.project);
      return c.json(await mcp.overview(found.project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/allow`,
      summary: "Says whether its tools are called without asking, as they are described now.",
      request: {
        params: One,
        body: body(Scope.extend({ tool: Short.optional(), allowed: z.boolean() })),
      },
      responses: overview,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      const { scope, tool, allowed } = c.req.valid("json");
      await mcp.allow({
        place: placeOf(scope, found),
        name,
        tool,
        allowed,
        ...(found.project === undefined ? {} : { project: found.project }),
      });
      return c.json(await mcp.overview(found.project), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/sign-in`,
      summary: "Begins to sign in at a server.",
      request: { params: One, body: body(Scope) },
      responses: answers(z.object({ address: z.string().optional() }), "Where to sign in."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const found = await at(id);
      const address = await mcp.beginSignIn(placeOf(c.req.valid("json").scope, found), name);
      return c.json(address === undefined ? {} : { address }, 200);
    },
  );
}

function projectRoutes(app: OpenAPIHono, { mcp, runtimes }: Services): void {
  const prefix = "/api/projects/{id}/mcp";
  const One = z.object({ id: z.string(), name: Name });
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/mcp-accept",
      summary: "Takes a server over that a file of the project asks for.",
      request: { params: z.object({ id: z.string() }), body: body(z.object({ digest: Short })) },
      responses: answers(Overview, "All of them as they are now."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await runtimes.of(id);
      await mcp.accept(id, c.req.valid("json").digest);
      return c.json(await mcp.overview(id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: `${prefix}/{name}/resource`,
      summary: "Text of a server's resource, within a limit.",
      request: { params: One, query: z.object({ uri: Short }) },
      responses: answers(Answer, "What it says."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      await runtimes.of(id);
      return c.json(await mcp.readResource(id, name, c.req.valid("query").uri), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/prompt`,
      summary: "A server's prompt, filled in.",
      request: {
        params: One,
        body: body(
          z.object({
            prompt: Short,
            values: z.record(z.string().max(200), z.string().max(20_000)),
          }),
        ),
      },
      responses: answers(Answer, "Its text."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      await runtimes.of(id);
      const { prompt, values } = c.req.valid("json");
      return c.json(await mcp.getPrompt(id, name, values, prompt), 200);
    },
  );
}
