import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Accounts } from "@treadle/accounts";
import type { Author } from "@treadle/protocol";
import type { Context } from "hono";
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

const Sharing = z.enum(["see", "type"]);

/**
 * Creates a function that returns the person of a request, who owns the terminals that they open; undefined where
 * there is only one person.
 */
export const personOfRequest =
  (accounts: Pick<Accounts, "people"> | undefined) =>
  async (c: Context): Promise<Author | undefined> => {
    const id = c.get("principal")?.person;
    if (!accounts || id === undefined) return undefined;
    return { id, name: (await accounts.people.get(id))?.name ?? "" };
  };

/**
 * Routes for a project's terminals. Input and output use a WebSocket at `/api/projects/{id}/terminals/{terminal}`,
 * or `terminal-streams.ts`.
 */
export function terminalRoutes(app: OpenAPIHono, { runtimes, accounts }: Services): void {
  const personOf = personOfRequest(accounts);
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/terminals",
      action: "project.terminals",
      summary:
        "Lists the terminals that have a shell, or text of an ended one, their labels, and the ports of the project's processes.",
      request: { params: ProjectParams },
      responses: answers(
        z.object({
          terminals: z.array(z.string()),
          labels: z.record(z.string(), z.string()).openapi({
            description: "The person's labels for terminals, by terminal name.",
          }),
          entries: z
            .array(
              z.object({
                name: z.string(),
                owner: z.object({ id: z.string(), name: z.string() }).optional(),
                sharing: Sharing.optional(),
                access: Sharing.optional().openapi({
                  description: "What you may do with it; absent: it is not shared with you.",
                }),
              }),
            )
            .openapi({ description: "The same terminals, with whose each is." }),
          ports: z.array(z.number().int()),
        }),
        "The names.",
      ),
    }),
    async (c) => {
      const { terminals, holder } = await runtimes.get(c.req.valid("param").id);
      const [entries, labels] = await Promise.all([
        terminals.entries(await personOf(c)),
        terminals.labels(),
      ]);
      const names = entries.map(({ name }) => name);
      return c.json({ terminals: names, entries, labels, ports: holder.ports() }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/projects/{id}/terminals/{terminal}",
      action: "project.terminals",
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
      await terminals.label(terminal, visible(c.req.valid("json").label), await personOf(c));
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/terminals/{terminal}/sharing",
      action: "project.terminals",
      summary:
        "Shares your own terminal with everybody who may use the project's terminals, or ends that: their connections are closed at once.",
      request: {
        params: TerminalParams,
        body: body(
          z.object({
            sharing: Sharing.nullable().openapi({
              description: "What others may do: see the output, or type as well. Null: nothing.",
            }),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { id, terminal } = c.req.valid("param");
      const { terminals } = await runtimes.get(id);
      await terminals.share(terminal, c.req.valid("json").sharing ?? undefined, await personOf(c));
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/terminals/{terminal}",
      action: "project.terminals",
      summary:
        "Ends a terminal's shell and its processes, and deletes its text. An owner of the project ends anybody's.",
      request: { params: TerminalParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, terminal } = c.req.valid("param");
      const { terminals } = await runtimes.get(id);
      const decision = await c
        .get("authority")
        .decide(c.get("principal"), "project.configure", { project: id });
      await terminals.end(terminal, await personOf(c), decision === "allowed");
      return c.json({ ok: true as const }, 200);
    },
  );
}
