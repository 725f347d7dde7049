import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "@treadle/common";
import type { Context } from "hono";
import { answers, answersOk, body, created, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { SignInRules } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";
import { checkFresh } from "./own-account.ts";

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Routes for the authenticator app, for recovery codes, and for whether a password needs them. */
export function secondFactorRoutes(app: OpenAPIHono, services: Services): void {
  const self = (c: Context) => c.get("principal")!.person;
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/code",
      action: "account.change",
      summary: "Begins to set up an authenticator app; a first code confirms it.",
      responses: created(
        z.object({ secret: z.string(), address: z.string() }),
        "The secret, and the otpauth address for a QR code.",
      ),
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const person = await accounts.people.get(self(c));
      if (!person) throw notFound("signIn");
      return c.json(await accounts.credentials.beginCode(person), 201);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/me/code",
      action: "account.change",
      summary: "Confirms the authenticator app. From then on a password needs its code.",
      request: { body: body(z.object({ code: z.string().max(10) })) },
      responses: answers(RecoveryCodes, "Each works once in place of a code. They are not shown again."), // prettier-ignore
    }),
    async (c) => {
      const { credentials } = accountsOf(services);
      const recoveryCodes = await credentials.confirmCode(self(c), c.req.valid("json").code);
      c.header("cache-control", "no-store");
      return c.json({ recoveryCodes }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/recovery-codes",
      action: "account.change",
      summary:
        "Replaces the recovery codes. It takes a session that began within ten minutes; otherwise 403 `sign-in-again`.",
      responses: created(RecoveryCodes, "The earlier ones no longer work."),
    }),
    async (c) => {
      const accounts = accountsOf(services);
      await checkFresh(c, accounts);
      const recoveryCodes = await accounts.credentials.renewRecovery(self(c));
      c.header("cache-control", "no-store");
      return c.json({ recoveryCodes }, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/sign-in-rules",
      action: "account.view",
      summary: "What signing in needs on this server.",
      responses: answers(SignInRules, "The rules."),
    }),
    async (c) =>
      c.json({ secondFactor: await accountsOf(services).secondFactor.isRequired() }, 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/sign-in-rules",
      action: "people.manage",
      summary:
        "Sets what signing in needs. With `secondFactor`, a password without an authenticator app signs nobody in (403 `second-factor-missing`); passkeys, links and the identity provider do.",
      request: { body: body(SignInRules) },
      responses: answersOk,
    }),
    async (c) => {
      await accountsOf(services).secondFactor.require(c.req.valid("json").secondFactor);
      return c.json({ ok: true as const }, 200);
    },
  );
}
