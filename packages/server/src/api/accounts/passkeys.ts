import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { serialize } from "hono/utils/cookie";
import { askerOf } from "../../access/asker.ts";
import { cookieName } from "../../access/check-access.ts";
import { answers, answersOk, body, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { Name } from "./account-schemas.ts";
import { auditFailedSignIn } from "./auditing.ts";
import { accountsOf } from "./me.ts";
import { checkFresh } from "./own-account.ts";
import { signInBrowser } from "./sign-in.ts";

/** A field of a device's answer, in base64url. Attestations are the longest. */
const Encoded = z.string().max(100_000);
const answerOf = <Parts extends z.ZodRawShape>(parts: Parts) =>
  z.object({
    id: Encoded,
    rawId: Encoded,
    type: z.literal("public-key"),
    clientExtensionResults: z.record(z.string(), z.unknown()),
    response: z.object({ clientDataJSON: Encoded, ...parts }),
  });
const Registration = answerOf({
  attestationObject: Encoded,
  transports: z.array(z.string().max(20)).max(10).optional(),
});
const Assertion = answerOf({
  authenticatorData: Encoded,
  signature: Encoded,
  userHandle: Encoded.optional(),
});
const Options = z.object({ options: z.record(z.string(), z.unknown()) });

const cookie = (services: Pick<Services, "ownHosts">) =>
  `${cookieName(services.ownHosts())}-passkey`;

/** Sets the cookie that binds a challenge to the browser that asked for it. An empty ticket removes the cookie. */
function setTicket(c: Context, services: Services, ticket: string): void {
  c.header("cache-control", "no-store");
  c.header(
    "set-cookie",
    serialize(cookie(services), ticket, {
      path: "/",
      httpOnly: true,
      secure: services.origin().startsWith("https:"),
      sameSite: "Strict",
      maxAge: ticket === "" ? 0 : 5 * 60,
    }),
    { append: true },
  );
}

function takeTicket(c: Context, services: Services): string {
  const ticket = getCookie(c, cookie(services)) ?? "";
  setTicket(c, services, "");
  return ticket;
}

/**
 * Signs the browser in with the answer of the person's device.
 * @param answer JSON, as the sign-in page's form sends it
 * @throws ApiFailure 400 `passkey-expired`; 401 `passkey-refused`, `passkey-copied`; 403 `suspended`; 429
 * `too-many-tries`
 */
export async function enterWithPasskey(c: Context, services: Services, answer: string) {
  const accounts = accountsOf(services);
  const response = readAssertion(answer) as never;
  const owner = await accounts.passkeys.ownerOf(response);
  return auditFailedSignIn(accounts, { how: "passkey", owner }, async () => {
    const ticket = takeTicket(c, services);
    const signed = { response, ticket, origin: services.origin() };
    const person = await accounts.passkeys.signIn(signed, askerOf(c, services));
    await signInBrowser(c, services, person, "passkey");
    return person;
  });
}

function readAssertion(answer: string): z.infer<typeof Assertion> {
  try {
    return Assertion.parse(JSON.parse(answer));
  } catch {
    throw new ApiFailure(400, "passkey-refused", sentence("passkey-refused"));
  }
}

/** Routes that add and rename passkeys, and begin a sign-in with one, which the page `/enter` completes. */
export function passkeyRoutes(app: OpenAPIHono, services: Services): void {
  const own = async (c: Context) => {
    const { person: id, credential = "" } = c.get("principal")!;
    const person = await accountsOf(services).people.get(id);
    if (!person) throw notFound("signIn");
    return { person, session: credential };
  };

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/passkeys/options",
      action: "account.change",
      summary:
        "Begins to add a passkey. It takes a session that began within ten minutes; otherwise 403 `sign-in-again`.",
      responses: answers(Options, "What the browser asks the person's device (WebAuthn)."),
    }),
    async (c) => {
      const accounts = accountsOf(services);
      await checkFresh(c, accounts);
      const { person, session } = await own(c);
      const { options, ticket } = await accounts.passkeys.beginAdding(person, session, services.origin()); // prettier-ignore
      setTicket(c, services, ticket);
      return c.json({ options: { ...options } }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/passkeys",
      action: "account.change",
      summary: "Adds a passkey, with what the person's device answered.",
      request: { body: body(z.object({ name: Name, response: Registration })) },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { person, session } = await own(c);
      const ticket = takeTicket(c, services);
      const { name, response } = c.req.valid("json");
      const answer = { response: response as never, ticket, origin: services.origin(), name };
      await accounts.passkeys.add(person, session, answer);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/me/passkeys/{item}",
      action: "account.change",
      summary: "Renames a passkey.",
      request: {
        params: z.object({ item: z.string().max(100) }),
        body: body(z.object({ name: Name })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { person } = c.get("principal")!;
      const { item } = c.req.valid("param");
      const { name } = c.req.valid("json");
      if (!(await accountsOf(services).passkeys.rename(person, item, name)))
        throw notFound("signIn");
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/passkey/options",
      action: "account.sign-in",
      summary:
        "Begins to sign in with a passkey, without a name. The form of the sign-in page sends the answer to `/enter`.",
      responses: answers(Options, "What the browser asks the person's device (WebAuthn)."),
    }),
    async (c) => {
      const { options, ticket } = await accountsOf(services).passkeys.beginSignIn(
        services.origin(),
      );
      setTicket(c, services, ticket);
      return c.json({ options: { ...options } }, 200);
    },
  );
}
