import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { OidcSignIn } from "@treadle/accounts";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { SERVER_ROLES } from "@treadle/protocol/accounts";
import type { Context } from "hono";
import { parse, serialize } from "hono/utils/cookie";
import { cookieName } from "../../access/check-access.ts";
import { refusedPage } from "../../access/enter-page.ts";
import { ownPath } from "../../access/own-path.ts";
import { forwardTo, plainPage } from "../../access/plain-page.ts";
import { requires } from "../../access/requires.ts";
import { answers, answersOk, body, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { ExternalIdentity, GroupRule, IdentityProvider } from "./account-schemas.ts";
import { auditFailedSignIn } from "./auditing.ts";
import { accountsOf } from "./me.ts";
import { signInBrowser } from "./sign-in.ts";

const RETURN_PATH = "/sign-in/provider/return";
const FLOW_S = 10 * 60;
const ok = { ok: true } as const;

/** The server's identity provider. @throws ApiFailure 409 `no-accounts`, `no-provider` */
function providerOf(services: Pick<Services, "accounts">): OidcSignIn {
  const { oidc } = accountsOf(services);
  if (!oidc) throw new ApiFailure(409, "no-provider", sentence("no-provider"));
  return oidc;
}

/** Routes for signing in at the identity provider, connecting an account to it, and what its groups grant. */
export function providerRoutes(app: OpenAPIHono, services: Services): void {
  const flowCookie = () => `${cookieName(services.ownHosts())}-provider`;
  /**
   * Sets the cookie that binds a sign-in to the browser that began it. The browser comes back from another site, so
   * the cookie is sent with such a navigation; without a public address it is sent to the return path only. An
   * empty secret removes it.
   */
  const setFlow = (c: Context, secret: string) =>
    c.header(
      "set-cookie",
      serialize(flowCookie(), secret, {
        // At a public address, the cookie's prefix requires the path `/`.
        path: services.ownHosts().people ? "/" : RETURN_PATH,
        httpOnly: true,
        secure: services.origin().startsWith("https:"),
        sameSite: "Lax",
        maxAge: secret === "" ? 0 : FLOW_S,
      }),
      { append: true },
    );
  const begin = async (c: Context, flow: { person?: string; to: string }) => {
    const { address, secret } = await providerOf(services).begin(`${services.origin()}${RETURN_PATH}`, flow); // prettier-ignore
    setFlow(c, secret);
    c.header("cache-control", "no-store");
    return address;
  };
  /** Answers a failure with a page, since the browser itself navigates to these addresses. */
  const orRefuse = (act: (c: Context) => Promise<Response>) => async (c: Context) => {
    try {
      return await act(c);
    } catch (error) {
      const name = services.accounts?.oidc?.name;
      if (!(error instanceof ApiFailure) || name === undefined) throw error;
      const accepted = c.req.header("accept-language");
      const page = refusedPage(error, { accepted, provider: name, to: ownPath(c.req.query("to")) });
      for (const cookie of c.res.headers.getSetCookie()) page.headers.append("set-cookie", cookie);
      return page;
    }
  };

  app.all(
    "/sign-in/provider",
    requires("account.sign-in"),
    orRefuse(async (c) => c.redirect(await begin(c, { to: ownPath(c.req.query("to")) }), 302)),
  );
  app.all(
    RETURN_PATH,
    requires("account.sign-in"),
    orRefuse(async (c) => {
      const oidc = providerOf(services);
      const name = flowCookie();
      const secret = parse(c.req.header("cookie") ?? "", name)[name] ?? "";
      setFlow(c, "");
      const { searchParams } = new URL(c.req.url);
      const to = await auditFailedSignIn(accountsOf(services), { how: "oidc" }, async () => {
        const { person, session, to: target } = await oidc.finish(searchParams, secret);
        await signInBrowser(c, services, person, "oidc", session);
        return target;
      });
      const page = plainPage(200, "Treadle", forwardTo(ownPath(to)));
      for (const cookie of c.res.headers.getSetCookie()) page.headers.append("set-cookie", cookie);
      return page;
    }),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me/identities",
      action: "account.view",
      summary:
        "Lists the person's accounts at the identity provider, with what the last token contained and what followed from it.",
      responses: answers(
        z.object({ provider: z.string().optional(), identities: z.array(ExternalIdentity) }),
        "`provider` is absent if this server has none.",
      ),
    }),
    async (c) => {
      const { identities, oidc } = accountsOf(services);
      const own = await identities.list(c.get("principal")!.person);
      return c.json({ provider: oidc?.name, identities: own.map(described) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/identities",
      action: "account.change",
      summary: "Begins to connect the person's account at the identity provider.",
      responses: answers(z.object({ address: z.string() }), "The address to open in this browser."),
    }),
    async (c) =>
      c.json(
        { address: await begin(c, { person: c.get("principal")!.person, to: "/account" }) },
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/me/identities/{item}",
      action: "account.change",
      summary:
        "Disconnects an account at the identity provider. 409 `identity-needed` if the person is here only by it.",
      request: { params: z.object({ item: z.string().max(100) }) },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { person } = c.get("principal")!;
      const { item } = c.req.valid("param");
      const identity = (await accounts.identities.list(person)).find(({ id }) => id === item);
      if (!identity) throw notFound("signIn");
      if (identity.baseRole === undefined)
        throw new ApiFailure(409, "identity-needed", sentence("identity-needed"));
      // A higher role that groups gave ends with the connection; a lower one stays.
      const { role } = c.get("principal")!;
      const isRaised = SERVER_ROLES.indexOf(role) < SERVER_ROLES.indexOf(identity.baseRole);
      if (identity.grantedRole !== undefined && isRaised)
        await accounts.people.update(person, { role: identity.baseRole });
      await accounts.members.setTeamsOfGroups(person, []);
      await accounts.identities.remove(person, item);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/identity-provider",
      action: "people.manage",
      summary:
        "Describes the identity provider, what its groups grant, and what it last said about each account.",
      responses: answers(
        z.object({
          provider: IdentityProvider.optional(),
          identities: z.array(ExternalIdentity),
        }),
        "`provider` is absent if this server has none. Accounts that were not let in have no person.",
      ),
    }),
    async (c) => {
      const { identities, oidc } = accountsOf(services);
      const all = await identities.list();
      return c.json({ provider: await oidc?.describe(), identities: all.map(described) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/identity-provider/rules",
      action: "people.manage",
      summary:
        "Sets what the provider's groups grant. Nobody can give a group a role above their own.",
      request: { body: body(z.object({ rules: z.array(GroupRule).max(500) })) },
      responses: answersOk,
    }),
    async (c) => {
      const oidc = providerOf(services);
      const { rules } = c.req.valid("json");
      const own = SERVER_ROLES.indexOf(c.get("principal")!.role);
      // A rule with a higher role may stay if somebody who could has set it before.
      const { rules: present } = await oidc.describe();
      const isPresent = (rule: (typeof rules)[number]) =>
        present.some(({ group, role }) => group === rule.group && role === rule.role);
      const isAbove = (rule: (typeof rules)[number]) =>
        rule.role !== undefined && SERVER_ROLES.indexOf(rule.role) < own && !isPresent(rule);
      if (rules.some(isAbove))
        throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
      await oidc.setRules(rules);
      return c.json(ok, 200);
    },
  );
}

const described = ({
  id,
  issuer,
  subject,
  person,
  report,
}: {
  id: string;
  issuer: string;
  subject: string;
  person: string | undefined;
  report: z.infer<typeof ExternalIdentity>["report"];
}) => ({ id, issuer, subject, person, report });
