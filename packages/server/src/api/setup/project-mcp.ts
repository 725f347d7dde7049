import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, answers, body } from "../describe.ts";
import {
  McpAnswerBody,
  McpName,
  McpOffersBody,
  McpOverviewBody,
  McpPromptBody,
  McpShort,
  McpValues,
} from "./mcp-schemas.ts";
import { refuseIfReviewed } from "../reviews.ts";
import type { Services } from "../services.ts";

/**
 * Routes for a project's tool servers: to add those that its files declare, and to use their prompts and resources
 * in messages.
 */
export function projectMcpRoutes(app: OpenAPIHono, services: Services): void {
  const { mcp, runtimes } = services;
  const prefix = "/api/projects/{id}/mcp";
  const One = z.object({ id: z.string(), name: McpName });
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/mcp-accept",
      action: "project.configure",
      summary: "Adds a server that a file of the project declares.",
      request: { params: z.object({ id: z.string() }), body: body(z.object({ digest: McpShort })) },
      responses: answers(McpOverviewBody, "All of them as they are now."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await runtimes.get(id);
      await refuseIfReviewed(c, services, id, "tool-server");
      await mcp.accept(id, c.req.valid("json").digest);
      return c.json(await mcp.overview(id), 200);
    },
  );
  // GET starts no server; POST does.
  for (const method of ["get", "post"] as const)
    app.openapi(
      createRoute({
        method,
        path: "/api/projects/{id}/mcp-offers",
        action: "project.edit",
        summary:
          method === "get"
            ? "Lists the prompts and resources for messages of all servers that are switched on."
            : "The same; servers that do not run yet are started, and not waited for.",
        request: { params: z.object({ id: z.string() }) },
        responses: answers(McpOffersBody, "What is known now."),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await runtimes.get(id);
        return c.json(await mcp.offers(id, method === "post"), 200);
      },
    );
  app.openapi(
    createRoute({
      method: "get",
      path: `${prefix}/{name}/resource`,
      action: "project.edit",
      summary: "The text of a server's resource, up to a limit.",
      request: { params: One, query: z.object({ uri: McpShort }) },
      responses: answers(McpAnswerBody, "What it says."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      await runtimes.get(id);
      return c.json(await mcp.readResource(id, name, c.req.valid("query").uri), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/prompt`,
      action: "project.edit",
      summary: "A server's prompt with its arguments filled in.",
      request: {
        params: One,
        body: body(
          z.object({
            prompt: McpShort,
            values: McpValues,
          }),
        ),
      },
      responses: answers(McpPromptBody, "Its text, and as a message says it."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      await runtimes.get(id);
      const { prompt, values } = c.req.valid("json");
      return c.json(await mcp.getPrompt(id, name, values, prompt), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${prefix}/{name}/complete`,
      action: "project.edit",
      summary: "Completes a partly typed argument of a server's prompt.",
      request: {
        params: One,
        body: body(
          z.object({
            prompt: McpShort,
            argument: z.object({ name: McpShort, value: z.string().max(4_000) }),
            values: McpValues.optional(),
          }),
        ),
      },
      responses: answers(z.object({ values: z.array(z.string()) }), "The best first."),
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      await runtimes.get(id);
      const { prompt, argument, values = {} } = c.req.valid("json");
      return c.json({ values: await mcp.complete(id, name, prompt, argument, values) }, 200);
    },
  );
}
