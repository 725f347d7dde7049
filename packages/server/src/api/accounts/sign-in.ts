import type { Accounts, LinkTerms, Person as PersonRecord } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { askerOf } from "../../access/asker.ts";
import { browserCookie, sessionCookie } from "../../access/session-cookie.ts";
import { answers, answersOk, body, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { Email, Name, Password, Person, Secret } from "./account-schemas.ts";
import { auditFailedSignIn } from "./auditing.ts";
import { accountsOf } from "./me.ts";

/** A code of an authenticator app, or a recovery code. */
const Code = z.string().max(40);

/** Routes for signing in and out. Only signing out needs a sign-in. */
export function signInRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/password",
      action: "account.sign-in",
      summary:
        "Signs the browser in with a password. 401 `code-needed` if the person also uses an authenticator app.",
      request: {
        body: body(z.object({ email: Email, password: Password, code: Code.optional() })),
      },
      responses: answers(Person, "The person. The cookie is set."),
    }),
    async (c) => {
      const { email, password, code } = c.req.valid("json");
      const accounts = accountsOf(services);
      return auditFailedSignIn(accounts, { how: "password", email }, async () => {
        const asker = askerOf(c, services);
        const person = await accounts.credentials.signIn(email, password, code, asker);
        await signInBrowser(c, services, person, "password");
        return c.json(person, 200);
      });
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/link",
      action: "account.sign-in",
      summary: "Describes what a single-use link grants, without using it up.",
      request: { body: body(z.object({ link: Secret })) },
      responses: answers(
        z.object({ purpose: z.enum(["sign-in", "invitation"]), email: z.string().optional() }),
        "404 if it was used or has expired.",
      ),
    }),
    async (c) => {
      const terms = await accountsOf(services).links.peek(c.req.valid("json").link);
      if (!terms) throw linkUsed();
      return c.json(
        { purpose: terms.purpose, email: "email" in terms ? terms.email : undefined },
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/link/use",
      action: "account.sign-in",
      summary:
        "Uses a single-use link: signs the browser in, or creates the account of an invitation with the given name, address and password.",
      request: {
        body: body(
          z.object({
            link: Secret,
            name: Name.optional(),
            email: Email.optional(),
            password: Password.optional(),
          }),
        ),
      },
      responses: answers(Person, "The person. The cookie is set."),
    }),
    async (c) => {
      const { link, ...account } = c.req.valid("json");
      const accounts = accountsOf(services);
      return auditFailedSignIn(accounts, { how: "link", email: account.email }, async () => {
        const person = await useLink(accounts, link, account);
        await signInBrowser(c, services, person, "link");
        return c.json(person, 200);
      });
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-out",
      action: "account.view",
      summary: "Ends the browser's session, or the API token of a program.",
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { person, credential = "", via } = c.get("principal")!;
      if (via === "session") await accounts.sessions.end(person, credential);
      if (via === "token") await accounts.tokens.remove(person, credential);
      accounts.changed();
      c.header("set-cookie", sessionCookie("", services.ownHosts()));
      return c.json({ ok: true as const }, 200);
    },
  );
}

const linkUsed = () => new ApiFailure(404, "link-used", sentence("link-used"));

/**
 * Uses a link up, and resolves with the person whom it signs in.
 * @throws ApiFailure 404 `link-used`; 400 `password-length`; 409 `email-taken`
 */
export async function useLink(
  accounts: Accounts,
  secret: string,
  account: { name?: string | undefined; email?: string | undefined; password?: string | undefined },
): Promise<PersonRecord> {
  const { people, links, credentials } = accounts;
  const peeked = await links.peek(secret);
  // Checked before the link is used up, so that a mistake does not cost the invitation.
  if (peeked?.purpose === "invitation") {
    const email = peeked.email ?? account.email;
    if (email !== undefined && (await people.byEmail(email)))
      throw new ApiFailure(409, "email-taken", sentence("email-taken", { email }));
    if (account.password !== undefined) credentials.checkPassword(account.password);
  }
  const terms = await links.take(secret);
  if (!terms) throw linkUsed();
  if (terms.purpose === "invitation") return accept(accounts, terms, account);
  const person = await people.get(terms.person);
  if (!person) throw linkUsed();
  return person;
}

async function accept(
  { people, members, credentials }: Accounts,
  { role, email, project, team }: Extract<LinkTerms, { purpose: "invitation" }>,
  account: { name?: string | undefined; email?: string | undefined; password?: string | undefined },
): Promise<PersonRecord> {
  const address = email ?? account.email;
  const name = account.name ?? address?.split("@")[0] ?? "New person";
  const person = await people.add({ name, email: address, role });
  if (account.password !== undefined) await credentials.setPassword(person.id, account.password);
  if (project) await members.set(project.id, { kind: "person", id: person.id, role: project.role });
  if (team) await members.setTeamMember(team.id, person.id, team.role);
  return person;
}

/**
 * Signs a browser in with a new session, and records that. The session that the browser had before ends, so that no
 * session that somebody else knows continues as this person's.
 * @throws ApiFailure 403 `suspended`
 */
export async function signInBrowser(
  c: Context,
  services: Pick<Services, "accounts" | "ownHosts">,
  person: PersonRecord,
  method: "password" | "passkey" | "link" | "oidc",
  through?: { identity: string; endsAt: number | undefined },
): Promise<void> {
  const accounts = accountsOf(services);
  if (person.suspended) throw new ApiFailure(403, "suspended", sentence("suspended"));
  const before = c.get("principal");
  if (before?.via === "session" && before.credential !== undefined) {
    await accounts.sessions.end(before.person, before.credential);
    accounts.changed();
  }
  const secret = await accounts.sessions.open(person.id, c.req.header("user-agent"), through);
  await accounts.audit.append({
    person: person.id,
    name: person.name,
    via: "session",
    action: "sign-in",
    what: method,
    values: {},
  });
  c.header("set-cookie", sessionCookie(secret, services.ownHosts()), { append: true });
  const mark = accounts.browsers.markOf(person.id);
  c.header("set-cookie", browserCookie(mark, services.ownHosts()), { append: true });
  c.header("cache-control", "no-store");
}
