/** Servers that sign people in at a real OpenID provider, and people who do. */
import { expect } from "vitest";
import { startAccountServer, type AccountServer } from "./accounts.test-support.ts";
import { startIdentityProvider, type ProviderAccount } from "./identity-provider.test-support.ts";

export type ProviderServers = Awaited<ReturnType<typeof startProviderServers>>;

const MINUTE_MS = 60_000;

export async function startProviderServers() {
  let late = 0;
  const idp = await startIdentityProvider();
  const env = {
    TREADLE_OIDC_ISSUER: idp.issuer,
    TREADLE_OIDC_CLIENT_ID: idp.clientId,
    TREADLE_OIDC_CLIENT_SECRET: idp.clientSecret,
    TREADLE_OIDC_NAME: "Example",
    TREADLE_OIDC_SCOPES: "openid profile email groups",
    TREADLE_OIDC_GROUP_ROLES: '{"staff": "member", "chiefs": "owner"}',
  };
  const one = await startAccountServer({ env, now: () => Date.now() + late });
  /** A server whose operator trusts the provider's addresses. */
  const trusting = await startAccountServer({
    env: { ...env, TREADLE_OIDC_LINK_BY_EMAIL: "1", TREADLE_OIDC_DOMAINS: "example.com" },
  });
  idp.register([one, trusting].map(({ origin }) => `${origin}/sign-in/provider/return`));

  let count = 0;
  /** An account at the provider. */
  function account(claims: ProviderAccount): string {
    const subject = `subject-${++count}`;
    idp.accounts.set(subject, { name: "Ada", ...claims });
    return subject;
  }

  /** A request of a browser with the cookie of a sign-in. */
  const visit = (at: AccountServer, path: string, cookie = "") =>
    at.server.treadle.fetch(
      new Request(new URL(path, at.origin), { headers: { cookie }, redirect: "manual" }),
    );
  const flowOf = (response: Response) =>
    /^treadle-\d+-provider=[^;]+/.exec(response.headers.getSetCookie().join("\n"))?.[0] ?? "";

  /** Goes to the provider, and stops before coming back. */
  async function go(subject: string, at = one, to = "/") {
    const begun = await visit(at, `/sign-in/provider?${new URLSearchParams({ to })}`);
    idp.signInAs(subject);
    const back = await idp.visit(begun.headers.get("location")!, at.origin);
    return { cookie: flowOf(begun), back };
  }
  /** The session that a response gives; empty if it gives none. */
  async function sessionOf(response: Response, at = one): Promise<string> {
    const set = response.headers.getSetCookie().find((cookie) => /^treadle-\d+=[\w-]/.test(cookie));
    const session = /=([\w-]+)/.exec(set ?? "")?.[1] ?? "";
    expect([response.status, session]).not.toEqual([200, ""]);
    if (session !== "") expect((await at.ask("/api/me", { as: session })).status).toBe(200);
    return session;
  }
  async function signIn(subject: string, at = one) {
    const { cookie, back } = await go(subject, at);
    const response = await visit(at, back.href, cookie);
    return { status: response.status, session: await sessionOf(response, at) };
  }
  const me = async (session: string, at = one) =>
    (await (await at.ask("/api/me", { as: session })).json()) as { id: string; role?: string };

  return {
    idp,
    one,
    trusting,
    account,
    visit,
    flowOf,
    go,
    sessionOf,
    signIn,
    me,
    /** Lets minutes pass, after which the provider is asked again. */
    async pass(minutes = 11): Promise<void> {
      late += minutes * MINUTE_MS;
      await one.accounts.oidc!.followDue();
    },
    async close() {
      await one.server.close();
      await trusting.server.close();
      await idp.close();
    },
  };
}
