import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { ChatBody, readChat } from "../bolt/chat-request.ts";
import { ApiFailure } from "../common/api-failure.ts";
import { body } from "./describe.ts";
import type { Services } from "./services.ts";

/** Of failures that another try may help. */
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);

/** bolt's chat: a conversation in its wire format, with a project of ours behind it (docs/bolt.md). */
export function chatRoutes(app: OpenAPIHono, { boltChat }: Pick<Services, "boltChat">): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/chat",
      summary: "Answers as bolt's chat does: the AI SDK's data stream, version 1.",
      request: { body: body(ChatBody) },
      responses: {
        200: {
          description: "The run, as it goes on. Who leaves ends it.",
          content: { "text/event-stream": { schema: z.string() } },
        },
      },
    }),
    async (c) => {
      try {
        const { project, stream } = await boltChat.answer(readChat(c.req.valid("json")));
        return c.body(stream, 200, {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache",
          "x-vercel-ai-data-stream": "v1",
          "x-treadle-project": project,
        }) as never;
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        return Response.json(boltError(error), { status: statusOf(error) }) as never;
      }
    },
    (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      const where = issue?.path.join(".");
      const message = `${where ? `“${where}”: ` : ""}${(issue?.message ?? "not valid").replace(/\.$/, "")}.`;
      return Response.json(boltError(new ApiFailure(400, "bad-input", message)), {
        status: 400,
      }) as never;
    },
  );
}

/** A failure as bolt's client reads one. */
function boltError(error: ApiFailure) {
  const statusCode = statusOf(error);
  return {
    error: true,
    message: error.message,
    statusCode,
    isRetryable: RETRYABLE.has(statusCode),
    provider: "treadle",
  };
}

/** Where a key is missing, its client shows where to type one. */
const statusOf = ({ code, status }: ApiFailure) =>
  code === "key-missing" || code === "model-missing" ? 401 : status;
