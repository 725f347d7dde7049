import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { askApp } from "../../runtime/ask-app.ts";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

/** Maximum length of a request body, in characters. */
const MAX_BODY_CHARS = 1_000_000;
const MAX_HEADERS = 50;

const Header = z.tuple([z.string().min(1).max(200), z.string().max(8_000)]);
const Request = z.object({
  port: z.number().int().min(1).max(65_535),
  method: z.string().regex(/^[A-Z]{1,20}$/, "That is not a method."),
  path: z
    .string()
    .max(8_000)
    .regex(/^\/[\x21-\x7e]*$/, "An address begins with / and has no spaces."),
  headers: z.array(Header).max(MAX_HEADERS),
  body: z.string().max(MAX_BODY_CHARS).optional(),
});
const Answer = z
  .object({
    status: z.number(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    text: z.string().optional().openapi({ description: "The body, if it is text." }),
    size: z.number(),
    isCut: z.boolean(),
    ms: z.number(),
  })
  .openapi("AppAnswer");

/** The route that sends a person's requests to the running app, for an API without a page. */
export function appRequestRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/app/requests",
      action: "project.edit",
      summary:
        "Sends one request to a port of the project's sandbox, and answers with what came back. Redirects are not followed.",
      request: { params: ProjectParams, body: body(Request) },
      responses: answers(Answer, "The answer of the app."),
    }),
    async (c) => {
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      return c.json(await askApp(workspace, c.req.valid("json"), c.req.raw.signal), 200);
    },
  );
}
