import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

/** Maximum number of items, and length of one in characters. */
const ITEMS = 100;
const TEXT = 500;

const TodoItem = z
  .object({
    text: z.string().trim().min(1).max(TEXT),
    status: z.enum(["todo", "doing", "done"]),
  })
  .openapi("TodoItem") satisfies z.ZodType<P.TodoItem>;
const Items = z.array(TodoItem).max(ITEMS);
const Todo = z.object({ items: Items }).openapi("Todo");

/** Routes for a project's to-do list, which the model maintains and the person can edit. */
export function todoRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/todo",
      action: "project.view",
      summary: "The current to-do list.",
      request: { params: ProjectParams },
      responses: answers(Todo, "The list."),
    }),
    async (c) => {
      const { view } = await runtimes.get(c.req.valid("param").id);
      return c.json({ items: view.todo ?? [] }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/todo",
      action: "project.edit",
      summary:
        "Replaces the to-do list. The model receives it before its next step. `before` is the list that was edited; 409 if it is not the current one.",
      request: {
        params: ProjectParams,
        body: body(z.object({ before: Items, items: Items })),
      },
      responses: answers(Todo, "The list."),
    }),
    async (c) => {
      const { before, items } = c.req.valid("json");
      const runtime = await runtimes.get(c.req.valid("param").id);
      await runtime.leaveTodo(before, items);
      return c.json({ items }, 200);
    },
  );
}
