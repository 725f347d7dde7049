import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, accepted, answers, answersOk, body, ProjectParams } from "../describe.ts";
import { SendMessage, Sent } from "../schemas.ts";
import type { Services } from "../services.ts";

const QueuedParams = ProjectParams.extend({ message: z.string().max(100) });

/** Routes for a person's messages to a project, and for stopping or resuming its work. */
export function conversationRoutes(
  app: OpenAPIHono,
  { projects, runtimes, store }: Services,
): void {
  const followedBy = async <Done>(id: string, act: () => Promise<Done>) => {
    const after = await store.log.head(id);
    return { ...(await act()), after };
  };
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/messages",
      action: "project.edit",
      summary:
        "Sends a message. The run follows in the log; a second message waits until the first one's run has ended.",
      request: { params: ProjectParams, body: body(SendMessage) },
      responses: accepted(Sent, "It is durable."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        await followedBy(id, () => projects.queueMessage(id, c.req.valid("json"))),
        202,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/messages/{message}",
      action: "project.edit",
      summary: "Removes a queued message.",
      request: { params: QueuedParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, message } = c.req.valid("param");
      await (await runtimes.get(id)).takeBack(message);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/messages/{message}/now",
      action: "project.edit",
      summary: "Delivers a queued message to the active run before its next step.",
      request: { params: QueuedParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, message } = c.req.valid("param");
      await (await runtimes.get(id)).sendNow(message);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/stop",
      action: "project.edit",
      summary: "Stops the active run with its model call and command. False: no run was active.",
      request: { params: ProjectParams },
      responses: answers(z.object({ stopped: z.boolean() }), "It has ended, where there was one."),
    }),
    async (c) => c.json({ stopped: await projects.stop(c.req.valid("param").id) }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/continue",
      action: "project.edit",
      summary: "Continues an interrupted run.",
      request: { params: ProjectParams },
      responses: accepted(Sent, "It is durable."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await followedBy(id, () => projects.continue(id)), 202);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/compact",
      action: "project.edit",
      summary:
        "Summarizes the older part of the conversation for the model, at the cost of one request. False: it is short already.",
      request: { params: ProjectParams },
      responses: answers(z.object({ compacted: z.boolean() }), "It is summed up, or short."),
    }),
    async (c) => c.json(await projects.compact(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/check",
      action: "project.edit",
      summary: "Checks the project's current files. The evidence follows in the log.",
      request: {
        params: ProjectParams,
        query: z.object({
          only: z.string().min(1).max(400).optional().openapi({
            description:
              "Runs only the check of this name; the others keep their results on the same files. Default: all checks.",
          }),
        }),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { only } = c.req.valid("query");
      (await runtimes.get(c.req.valid("param").id)).check({ asked: true, only });
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/checks/agree",
      action: "project.edit",
      summary:
        "Accepts the project's current checks file, whoever changed it, and checks the project again.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            revision: z.string().min(1).openapi({
              description: "The revision that the person has read; no other one is accepted.",
            }),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      await runtime.agreeChecks(c.req.valid("json").revision);
      // Accepting the file does not run the checks that are started by hand.
      runtime.check({ asked: false });
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/asked/agree",
      action: "project.edit",
      summary:
        "Confirms a requirement that can only be judged by eye. The revision's new evidence follows in the log.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            revision: z
              .string()
              .min(1)
              .openapi({ description: "The revision that the person has read." }),
            what: z.string().min(1).openapi({ description: "The item as in the evidence." }),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { revision, what } = c.req.valid("json");
      await (await runtimes.get(c.req.valid("param").id)).agreeAsked(revision, what);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/look/stop",
      action: "project.edit",
      summary:
        "Stops the active check, but not the run that contains it. False: no check was active.",
      request: { params: ProjectParams },
      responses: answers(z.object({ stopped: z.boolean() }), "It has ended, where there was one."),
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      return c.json({ stopped: await runtime.stopLook() }, 200);
    },
  );
}
