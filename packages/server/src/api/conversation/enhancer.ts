import { EnhanceError, enhancePrompt } from "@treadle/agent";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { modelMeant } from "@treadle/bolt";
import { createRoute, body, mayFail } from "../describe.ts";
import { readAsJson } from "../read-as-json.ts";
import type { Services } from "../services.ts";

/** Maximum length of a text to improve, in characters. */
const TEXT_LIMIT = 20_000;
const ENHANCER_PATH = "/api/enhancer";

/**
 * The route that improves the wording of a person's draft. The new text is streamed in bolt's wire format (plain
 * text).
 */
export function enhancerRoutes(app: OpenAPIHono, { models }: Services): void {
  app.use(ENHANCER_PATH, readAsJson);
  app.openapi(
    createRoute({
      method: "post",
      path: ENHANCER_PATH,
      action: "server.use",
      summary: "Improves a prompt with one model call and streams the text.",
      request: {
        body: body(
          z.object({
            message: z.string().trim().min(1).max(TEXT_LIMIT),
            model: z.string().max(200).optional().openapi({
              description: "`provider:model`; beside a `provider` its name alone.",
            }),
            provider: z
              .looseObject({ name: z.string().max(200) })
              .optional()
              .openapi({
                description:
                  "As bolt's clients send it: where it has no such model here, the chosen one is asked.",
              }),
          }),
        ),
      },
      responses: {
        200: {
          description: "The new text, streamed. A stream that breaks off is incomplete.",
          content: {
            "text/plain": { schema: z.string() },
            // The same text, with the content type that bolt's clients expect.
            "text/event-stream": { schema: z.string() },
          },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { message, model, provider } = c.req.valid("json");
      const named = provider ? await modelMeant(models, { model, provider: provider.name }) : model;
      const id = named ?? (await models.chosen());
      if (id === undefined)
        throw new ApiFailure(409, "model-missing", sentence("model-missing-for-text"));
      const pieces = enhancePrompt(await models.resolve(id, {}), message, c.req.raw.signal);
      // The first chunk shows whether the model responds, which decides the status.
      const first = await pieces.next().catch((error: unknown) => {
        throw error instanceof EnhanceError
          ? new ApiFailure(502, error.failure.code, sentenceIn(error.failure))
          : error;
      });
      const encoder = new TextEncoder();
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          if (!first.done) controller.enqueue(encoder.encode(first.value));
        },
        async pull(controller) {
          const next = await pieces.next();
          if (next.done) controller.close();
          else controller.enqueue(encoder.encode(next.value));
        },
        async cancel() {
          await pieces.return(undefined);
        },
      });
      const type = provider ? "text/event-stream" : "text/plain";
      // The library's typed text response cannot be streamed.
      return c.body(stream, 200, { "content-type": `${type}; charset=utf-8` }) as never;
    },
  );
}
