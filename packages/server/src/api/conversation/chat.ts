import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ChatBody, readChat } from "@treadle/bolt";
import { CHAT_PATH } from "./chat-failure.ts";
import { createRoute, body, mayFail } from "../describe.ts";
import { readAsJson } from "../read-as-json.ts";
import type { Services } from "../services.ts";

/** The route of bolt's chat: a conversation in bolt's wire format, in a project of Treadle (docs/bolt.md). */
export function chatRoutes(app: OpenAPIHono, { boltChat }: Pick<Services, "boltChat">): void {
  app.use(CHAT_PATH, readAsJson);
  app.openapi(
    createRoute({
      method: "post",
      path: CHAT_PATH,
      action: "projects.create",
      summary: "Answers like bolt's chat: the AI SDK's data stream, version 1.",
      request: { body: body(ChatBody) },
      responses: {
        200: {
          description: "The run, streamed. Disconnecting stops it.",
          content: { "text/event-stream": { schema: z.string() } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { project, stream } = await boltChat.answer(readChat(c.req.valid("json")));
      return c.body(stream, 200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache",
        "x-vercel-ai-data-stream": "v1",
        "x-treadle-project": project,
      }) as never;
    },
  );
}
