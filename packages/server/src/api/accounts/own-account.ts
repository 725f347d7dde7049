import type { Accounts } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { answers, answersOk, body, created, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import {
  ApiToken,
  BrowserSession,
  Email,
  Name,
  Password,
  ScopeName,
  SignInMethod,
} from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const Id = z.object({ item: z.string().max(100) });
const ok = { ok: true } as const;

/**
 * Refuses a session that began more than ten minutes ago, in which somebody else may be by now.
 * @throws ApiFailure 403 `sign-in-again`
 */
export async function checkFresh(c: Context, { sessions }: Accounts): Promise<void> {
  if (!(await sessions.isFresh(c.get("principal")!.credential ?? "")))
    throw new ApiFailure(403, "sign-in-again", sentence("session-old"));
}

/** Routes for a person's own name, sessions, ways of signing in, and API tokens. */
export function ownAccountRoutes(app: OpenAPIHono, services: Services): void {
  const self = (c: Context) => c.get("principal")!.person;
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/me",
      action: "account.change",
      summary:
        "Renames the person, or sets the address that they sign in with if they have none. An administrator's invitation may have set it, and then it stays.",
      request: { body: body(z.object({ name: Name.optional(), email: Email.optional() })) },
      responses: answersOk,
    }),
    async (c) => {
      const { people } = accountsOf(services);
      const { name, email } = c.req.valid("json");
      const person = await people.get(self(c));
      if (email !== undefined && person?.email !== undefined)
        throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
      await people.update(self(c), {
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { email }),
      });
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me/sessions",
      action: "account.change",
      summary: "Lists the browsers in which the person is signed in.",
      responses: answers(z.object({ sessions: z.array(BrowserSession) }), "The newest first."),
    }),
    async (c) => {
      const { person, credential } = c.get("principal")!;
      const sessions = await accountsOf(services).sessions.list(person);
      return c.json(
        { sessions: sessions.map((one) => ({ ...one, current: one.id === credential })) },
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/me/sessions/{item}",
      action: "account.change",
      summary: "Ends one of the person's sessions, and everything that is open in it.",
      request: { params: Id },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      if (!(await accounts.sessions.end(self(c), c.req.valid("param").item)))
        throw notFound("signIn");
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me/sign-ins",
      action: "account.change",
      summary: "Lists what the person signs in with.",
      responses: answers(z.object({ methods: z.array(SignInMethod) }), "The oldest first."),
    }),
    async (c) => c.json({ methods: await accountsOf(services).credentials.list(self(c)) }, 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/me/password",
      action: "account.change",
      summary:
        "Sets the person's password, and ends all other sessions. It takes the present password, or a session that began within ten minutes; otherwise 403 `sign-in-again`.",
      request: {
        body: body(z.object({ password: Password, current: Password.optional() })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { password, current } = c.req.valid("json");
      if (current !== undefined) await accounts.credentials.confirmPassword(self(c), current);
      else await checkFresh(c, accounts);
      await accounts.credentials.setPassword(self(c), password);
      await accounts.sessions.endAll(self(c), c.get("principal")!.credential);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/me/sign-ins/{item}",
      action: "account.change",
      summary: "Removes a way of signing in.",
      request: { params: Id },
      responses: answersOk,
    }),
    async (c) => {
      const { credentials } = accountsOf(services);
      if (!(await credentials.remove(self(c), c.req.valid("param").item))) throw notFound("signIn");
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me/tokens",
      action: "account.change",
      summary: "Lists the person's API tokens, without the tokens themselves.",
      responses: answers(z.object({ tokens: z.array(ApiToken) }), "The newest first."),
    }),
    async (c) => c.json({ tokens: await accountsOf(services).tokens.list(self(c)) }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/tokens",
      action: "account.change",
      summary:
        "Creates an API token, which acts for the person within its scopes until it expires.",
      request: {
        body: body(
          z.object({
            name: Name,
            scopes: z.array(ScopeName).min(1),
            days: z.number().positive().max(3650).optional(),
          }),
        ),
      },
      responses: created(
        z.object({ id: z.string(), token: z.string() }),
        "The token, which is not shown again.",
      ),
    }),
    async (c) => {
      const { name, scopes, days } = c.req.valid("json");
      const expiresAt = days === undefined ? undefined : services.now() + days * DAY_MS;
      const { tokens } = accountsOf(services);
      return c.json(await tokens.create(self(c), { name, scopes, expiresAt }), 201);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/me/tokens/{item}",
      action: "account.change",
      summary: "Revokes an API token, and ends everything that is open with it.",
      request: { params: Id },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      if (!(await accounts.tokens.remove(self(c), c.req.valid("param").item)))
        throw notFound("signIn");
      accounts.changed();
      return c.json(ok, 200);
    },
  );
}
