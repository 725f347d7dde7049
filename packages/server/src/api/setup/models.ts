import { CACHE_LEVELS, THINKING_LEVELS } from "@treadle/protocol/models";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { BoltModels, boltModels } from "@treadle/bolt";
import { createRoute, answers, answersOk, body } from "../describe.ts";
import { ModelsInfo } from "../schemas.ts";
import type { Services } from "../services.ts";

const Provider = z.object({ provider: z.string() });
/** A key, an address or a name; the limit is above the length of any. */
const Short = z.string().trim().min(1).max(4_000);

export function modelRoutes(app: OpenAPIHono, { models }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/models",
      action: "server.view",
      summary: "Lists providers with their models, the selected model, and the recorded builds.",
      responses: answers(
        ModelsInfo.extend(BoltModels.shape),
        "What there is, also as bolt's clients read it. Keys are never in it.",
      ),
    }),
    async (c) => {
      const info = await models.info();
      return c.json({ ...info, ...boltModels(info) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/models/{provider}",
      action: "server.view",
      summary:
        "Lists the models of one provider, as bolt's clients request it after a key was entered.",
      request: { params: Provider },
      responses: answers(
        ModelsInfo.extend(BoltModels.shape),
        "As for all of them; `modelList` has that provider's alone.",
      ),
    }),
    async (c) => {
      const info = await models.info();
      return c.json({ ...info, ...boltModels(info, c.req.valid("param").provider) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/models/choice",
      action: "server.configure",
      summary: "Selects the model for new runs.",
      request: { body: body(z.object({ model: Short })) },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      await models.choose(c.req.valid("json").model);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/models/keys/{provider}",
      action: "server.configure",
      summary: "Saves a provider's key or address on this server.",
      request: {
        params: Provider,
        body: body(z.object({ key: Short.optional(), address: Short.optional() })),
      },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      await models.setKey(c.req.valid("param").provider, c.req.valid("json"));
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/models/keys/{provider}",
      action: "server.configure",
      summary: "Deletes a provider's key and address.",
      request: { params: Provider },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      await models.removeKey(c.req.valid("param").provider);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/models/forget",
      action: "server.configure",
      summary:
        "Deletes what was learned about a model (that it needs tags, or that its edits miss), so that it is tested again.",
      request: { body: body(z.object({ model: Short })) },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      await models.forget(c.req.valid("json").model);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/models/sees",
      action: "server.configure",
      summary:
        "Sets whether a model can read pictures. Without `sees` it is guessed from its name.",
      request: { body: body(z.object({ model: Short, sees: z.boolean().optional() })) },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      const { model, sees } = c.req.valid("json");
      await models.setSees(model, sees);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/models/thinking",
      action: "server.configure",
      summary:
        "Sets how much a model thinks. Without `thinking` the default of TREADLE_THINKING or of the model applies.",
      request: {
        body: body(z.object({ model: Short, thinking: z.enum(THINKING_LEVELS).optional() })),
      },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      const { model, thinking } = c.req.valid("json");
      await models.setThinking(model, thinking);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/models/cache",
      action: "server.configure",
      summary:
        "Sets how long a model's provider caches prompts, by the levels that the model offers. Without `cache` the default of TREADLE_PROMPT_CACHE or of Treadle applies.",
      request: {
        body: body(z.object({ model: Short, cache: z.enum(CACHE_LEVELS).optional() })),
      },
      responses: answers(ModelsInfo, "What there is now."),
    }),
    async (c) => {
      const { model, cache } = c.req.valid("json");
      await models.setCache(model, cache);
      return c.json(await models.info(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/models/test",
      action: "server.configure",
      summary: "Tests a provider with a one-word request. The key or address is not saved.",
      request: {
        body: body(
          z.object({
            provider: Short,
            model: Short.optional(),
            key: Short.optional(),
            address: Short.optional(),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { provider, ...typed } = c.req.valid("json");
      await models.test(provider, typed);
      return c.json({ ok: true as const }, 200);
    },
  );
}
