import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { KeyOwner, ModelRules } from "@treadle/accounts";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { KeyProvider, ModelPrice, ModelRule } from "@treadle/protocol";
import { answers, answersOk, body, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { accountsOf } from "./me.ts";

const Short = z.string().trim().min(1).max(200);
const Dollars = z.number().min(0).max(1e6);
const Price = z
  .object({ input: Dollars, cachedInput: Dollars.optional(), output: Dollars })
  .openapi("ModelPrice") satisfies z.ZodType<ModelPrice>;
const Kind = z.enum(["role", "team"]);
const Rule = z
  .object({ kind: Kind, subject: z.string(), models: z.array(Short).max(200) })
  .openapi("ModelRule") satisfies z.ZodType<ModelRule>;
const Provider = z
  .object({
    id: z.string(),
    name: z.string(),
    keyPage: z.string().optional(),
    isSet: z.boolean(),
  })
  .openapi("KeyProvider") satisfies z.ZodType<KeyProvider>;
/** A provider's key; the limit is above the length of any known one. */
const Key = z.object({ key: z.string().trim().min(1).max(4_000) });
const Providers = z.object({ providers: z.array(Provider) });
const ok = { ok: true } as const;

/**
 * The rules of a server with accounts.
 * @throws ApiFailure 409 `no-accounts`
 */
export function rulesOf({ modelRules }: Pick<Services, "modelRules">): ModelRules {
  if (!modelRules) throw new ApiFailure(409, "no-accounts", sentence("no-accounts"));
  return modelRules;
}

/** Routes for the models that roles and teams may use, for prices, and for keys of people and teams. */
export function modelRuleRoutes(app: OpenAPIHono, services: Services): void {
  async function providersOf(owner: KeyOwner): Promise<KeyProvider[]> {
    const own = await rulesOf(services).keyProviders(owner);
    const { providers } = await services.models.info();
    // Providers at an address of one's own are left out: people could reach hosts of the server's network through
    // them.
    return providers
      .filter(({ needsKey, needsAddress }) => needsKey && !needsAddress)
      .map(({ id, name, keyPage }) => ({
        id,
        name,
        ...(keyPage === undefined ? {} : { keyPage }),
        isSet: own.includes(id),
      }));
  }
  /** Checks that an owner can have a key for a provider. @throws ApiFailure 404 `provider-unknown` */
  async function checkProvider(owner: KeyOwner, provider: string): Promise<void> {
    if (!(await providersOf(owner)).some(({ id }) => id === provider))
      throw new ApiFailure(404, "provider-unknown", sentence("provider-unknown", { provider }));
  }
  /** A team as an owner of keys. @throws ApiFailure 404 if there is no such team */
  async function teamOwner(team: string): Promise<KeyOwner> {
    const teams = await accountsOf(services).members.teams();
    if (!teams.some(({ id }) => id === team)) throw notFound("person");
    return { kind: "team", id: team };
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/model-rules",
      action: "server.configure",
      summary: "Which models roles and teams may use, and prices that an administrator has set.",
      responses: answers(
        z.object({ rules: z.array(Rule), prices: z.record(z.string(), Price) }),
        "Without a rule, all models may be used.",
      ),
    }),
    async (c) => {
      const rules = rulesOf(services);
      return c.json({ rules: await rules.rules(), prices: await rules.prices() }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/model-rules/{kind}/{subject}",
      action: "server.configure",
      summary:
        "Sets which models a role or a team may use, as `provider:model` or `provider:*`. Without models the rule is removed.",
      request: {
        params: z.object({ kind: Kind, subject: Short }),
        body: body(Rule.pick({ models: true })),
      },
      responses: answersOk,
    }),
    async (c) => {
      await rulesOf(services).setRule({ ...c.req.valid("param"), ...c.req.valid("json") });
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/model-prices",
      action: "server.configure",
      summary:
        "Sets what a model costs whose price is not known, in US dollars per million tokens. Without a price it is removed.",
      request: { body: body(z.object({ model: Short, price: Price.optional() })) },
      responses: answersOk,
    }),
    async (c) => {
      const { model, price } = c.req.valid("json");
      await rulesOf(services).setPrice(model, price);
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me/model-keys",
      action: "account.view",
      summary: "Lists the providers for which one can have a key of one's own.",
      responses: answers(Providers, "Whether there is a key; never the key."),
    }),
    async (c) =>
      c.json({ providers: await providersOf({ kind: "person", id: c.get("principal")!.person }) }, 200), // prettier-ignore
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/me/model-keys/{provider}",
      action: "account.change",
      summary: "Saves an own key, which is used in place of a team's and the server's.",
      request: { params: z.object({ provider: Short }), body: body(Key) },
      responses: answersOk,
    }),
    async (c) => {
      const owner: KeyOwner = { kind: "person", id: c.get("principal")!.person };
      const { provider } = c.req.valid("param");
      await checkProvider(owner, provider);
      await rulesOf(services).setKey(owner, provider, c.req.valid("json").key);
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/me/model-keys/{provider}",
      action: "account.change",
      summary: "Deletes an own key.",
      request: { params: z.object({ provider: Short }) },
      responses: answersOk,
    }),
    async (c) => {
      const owner: KeyOwner = { kind: "person", id: c.get("principal")!.person };
      await rulesOf(services).setKey(owner, c.req.valid("param").provider, undefined);
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/teams/{team}/model-keys",
      action: "server.configure",
      summary: "Lists the providers for which a team can have a key.",
      request: { params: z.object({ team: Short }) },
      responses: answers(Providers, "Whether there is a key; never the key."),
    }),
    async (c) =>
      c.json({ providers: await providersOf(await teamOwner(c.req.valid("param").team)) }, 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/teams/{team}/model-keys/{provider}",
      action: "server.configure",
      summary: "Saves a team's key, which is used in its projects in place of the server's.",
      request: {
        params: z.object({ team: Short, provider: Short }),
        body: body(Key),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { team, provider } = c.req.valid("param");
      const owner = await teamOwner(team);
      await checkProvider(owner, provider);
      await rulesOf(services).setKey(owner, provider, c.req.valid("json").key);
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/teams/{team}/model-keys/{provider}",
      action: "server.configure",
      summary: "Deletes a team's key.",
      request: { params: z.object({ team: Short, provider: Short }) },
      responses: answersOk,
    }),
    async (c) => {
      const { team, provider } = c.req.valid("param");
      await rulesOf(services).setKey(await teamOwner(team), provider, undefined);
      return c.json(ok, 200);
    },
  );
}
