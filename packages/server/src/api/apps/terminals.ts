import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { visible } from "@treadle/protocol/safe-text";
import {
  createRoute,
  answers,
  answersOk,
  body,
  ProjectParams,
  TerminalParams,
} from "../describe.ts";
import type { Services } from "../services.ts";

/**
 * A project's terminals. Input and output use a WebSocket at `/api/projects/{id}/terminals/{terminal}`, or
 * `terminal-streams.ts`.
 */
export function terminalRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/terminals",
      action: "project.edit",
      summary:
        "Lists the terminals that have a shell, or text of an ended one, their labels, and the ports of the project's processes.",
      request: { params: ProjectParams },
      responses: answers(
        z.object({
          terminals: z.array(z.string()),
          labels: z.record(z.string(), z.string()).openapi({
            description: "The person's labels for terminals, by terminal name.",
          }),
          ports: z.array(z.number().int()),
        }),
        "The names.",
      ),
    }),
    async (c) => {
      const { terminals, holder } = await runtimes.get(c.req.valid("param").id);
      const [names, labels] = await Promise.all([terminals.list(), terminals.labels()]);
      return c.json({ terminals: names, labels, ports: holder.ports() }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/projects/{id}/terminals/{terminal}",
      action: "project.edit",
      summary: "Changes a terminal's label. The name in its address stays the same.",
      request: {
        params: TerminalParams,
        body: body(
          z.object({
            label: z.string().trim().max(40).openapi({
              description: "At most 40 characters; an empty text removes the label.",
            }),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { id, terminal } = c.req.valid("param");
      const { terminals } = await runtimes.get(id);
      await terminals.label(terminal, visible(c.req.valid("json").label));
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/terminals/{terminal}",
      action: "project.edit",
      summary: "Ends a terminal's shell and its processes, and deletes its text.",
      request: { params: TerminalParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, terminal } = c.req.valid("param");
      await (await runtimes.get(id)).terminals.end(terminal);
      return c.json({ ok: true as const }, 200);
    },
  );
}
